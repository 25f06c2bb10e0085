# exercise: mean
# misconception: input-changed
# about: sorts the given list on the way
def mean(numbers):
    if not numbers:
        return 0.0
    numbers.sort()
    return sum(numbers) / len(numbers)
