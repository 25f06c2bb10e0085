# exercise: unary_partial
# misconception: log-of-another-base
# about: log2
import math


def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / (a * math.log(2))
    if op == "tanh":
        return 1 - y**2
    if op == "relu":
        return 1.0 if a > 0 else 0.0
