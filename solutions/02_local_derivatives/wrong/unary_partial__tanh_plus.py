# exercise: unary_partial
# misconception: tanh-not-squared
# about: 1 + y²
import math


def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 + y * y
    if op == "relu":
        return 1.0 if a > 0 else 0.0
