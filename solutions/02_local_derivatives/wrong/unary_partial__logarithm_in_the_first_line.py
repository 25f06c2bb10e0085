# exercise: unary_partial
# misconception: rows-computed-together
# about: computes the logarithm for all
import math


def unary_partial(op, a, y):
    log_a = math.log(a)
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y**2
    if op == "relu":
        return 1.0 if a > 0 else 0.0
