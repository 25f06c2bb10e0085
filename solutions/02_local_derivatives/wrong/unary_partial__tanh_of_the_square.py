# exercise: unary_partial
# misconception: tanh-not-squared
# about: squares before tanh and not after
import math


def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - math.tanh(a**2)
    if op == "relu":
        return 1.0 if a > 0 else 0.0
