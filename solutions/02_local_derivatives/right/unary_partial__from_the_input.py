# exercise: unary_partial
# about: computes everything again from the input
import math


def unary_partial(op, a, y):
    if op == "exp":
        return math.exp(a)
    if op == "log":
        return a**-1
    if op == "tanh":
        return 1 / math.cosh(a) ** 2
    return float(a >= 0)
