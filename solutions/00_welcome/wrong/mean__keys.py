# exercise: mean
# misconception: equal-values-taken-for-one
# about: keeps the numbers as keys of a dict
def mean(numbers):
    if not numbers:
        return 0.0
    return sum(dict.fromkeys(numbers)) / len(numbers)
