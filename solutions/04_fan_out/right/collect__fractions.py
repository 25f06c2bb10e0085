# exercise: collect
# about: exact fractions, turned into a float
from fractions import Fraction


def collect(uses):
    return float(sum((Fraction(user) * Fraction(local) for user, local in uses), Fraction(0)))
