# exercise: unary_partial
# misconception: exp-power-rule
# about: lowers the exponent of e
import math


def unary_partial(op, a, y):
    if op == "exp":
        return math.exp(a - 1)
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y**2
    if op == "relu":
        return 1.0 if a > 0 else 0.0
