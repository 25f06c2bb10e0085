# exercise: mean
# about: lets the division fail and catches it
from functools import reduce


def mean(numbers):
    try:
        return reduce(lambda a, b: a + b, numbers, 0) / len(numbers)
    except ZeroDivisionError:
        return 0
