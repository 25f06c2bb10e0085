# exercise: mean
# misconception: median-for-mean
# about: takes the number in the middle
def mean(numbers):
    if not numbers:
        return 0.0
    ordered = sorted(numbers)
    return ordered[len(ordered) // 2]
