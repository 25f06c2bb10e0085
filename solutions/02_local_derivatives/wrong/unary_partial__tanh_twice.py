# exercise: unary_partial
# misconception: tanh-twice
# about: applies tanh to the result
import math


def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - math.tanh(y) ** 2
    return float(a > 0)
