# exercise: unary_partial
# misconception: relu-slope
# about: 0.5, the mean of both sides
import math


def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y**2
    if op == "relu":
        return 0.5
