# exercise: unary_partial
# misconception: exp-of-the-wrong-number
# about: multiplies by the input
import math


def unary_partial(op, a, y):
    if op == "exp":
        return a * y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y**2
    if op == "relu":
        return 1.0 if a > 0 else 0.0
