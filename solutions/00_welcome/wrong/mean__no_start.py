# exercise: mean
# misconception: start-value-missing
# about: adds to a total that is not there
def mean(numbers):
    if not numbers:
        return 0.0
    for number in numbers:
        total = total + number
    return total / len(numbers)
