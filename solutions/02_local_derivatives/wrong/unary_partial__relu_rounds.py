# exercise: unary_partial
# hidden-only: wrong only within a millionth of the kink
# about: compares after rounding
import math


def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y**2
    if op == "relu":
        return 1.0 if round(a, 6) > 0 else 0.0
