# exercise: unary_partial
# misconception: caret-for-power
# about: y ^ 2
import math


def unary_partial(op, a, y):
    return {
        "exp": lambda: y,
        "log": lambda: 1 / a,
        "tanh": lambda: 1 - y ^ 2,
        "relu": lambda: float(a > 0),
    }[op]()
