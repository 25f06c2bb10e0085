# exercise: unary_partial
# misconception: relu-slope
# about: asks the result, which is never negative
import math


def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y**2
    if op == "relu":
        return 1.0 if y >= 0 else 0.0
