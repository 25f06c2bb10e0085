# exercise: central_difference
# about: fractions
from fractions import Fraction


def central_difference(f, inputs, index, h):
    up, down = [Fraction(x) for x in inputs], [Fraction(x) for x in inputs]
    up[index] += Fraction(h)
    down[index] -= Fraction(h)
    return (f(*up) - f(*down)) / (2 * Fraction(h))
