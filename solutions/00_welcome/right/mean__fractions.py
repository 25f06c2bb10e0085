# exercise: mean
# about: exact fractions
from fractions import Fraction


def mean(numbers):
    total = sum((Fraction(number) for number in numbers), Fraction(0))
    return float(total / max(len(numbers), 1))
