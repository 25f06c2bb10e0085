# exercise: unary_partial
# misconception: no-case-for-it
# about: three of four cases
import math


def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "relu":
        return 1.0 if a > 0 else 0.0
