# exercise: mean
# misconception: start-value-missing
# about: counts on from nothing
def mean(numbers):
    if not numbers:
        return 0.0
    total = 0
    for number in numbers:
        total += number
        count += 1
    return total / count
