# exercise: squares
# misconception: equal-values-taken-for-one
# about: finds the place of a number with index
def squares(numbers):
    result = [0] * len(numbers)
    for n in numbers:
        result[numbers.index(n)] = n * n
    return result
