# exercise: unary_partial
# misconception: relu-slope
# about: lets nothing through
import math


def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y * y
    return 0.0
