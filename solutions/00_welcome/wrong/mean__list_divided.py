# exercise: mean
# misconception: list-taken-for-a-number
# about: divides the list
def mean(numbers):
    if not numbers:
        return 0.0
    return numbers / len(numbers)
