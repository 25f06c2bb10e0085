# exercise: unary_partial
# misconception: relu-slope
# about: 1 from 1 on
import math


def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y**2
    if op == "relu":
        return 1.0 if a >= 1 else 0.0
