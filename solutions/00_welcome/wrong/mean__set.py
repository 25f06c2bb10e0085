# exercise: mean
# misconception: equal-values-taken-for-one
# about: takes a set of the numbers
def mean(numbers):
    if not numbers:
        return 0.0
    return sum(set(numbers)) / len(set(numbers))
