# exercise: expression
# about: exact fractions, a float at the end
from fractions import Fraction


def expression(x, y, exact=Fraction):
    return float((exact(x) + exact(y)) * exact(y))
