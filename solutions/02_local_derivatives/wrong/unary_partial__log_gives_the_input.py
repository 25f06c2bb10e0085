# exercise: unary_partial
# misconception: value-for-slope
# about: the input of log
import math


def unary_partial(op, a, y):
    return {
        "exp": lambda: y,
        "log": lambda: a,
        "tanh": lambda: (1 + y) * (1 - y),
        "relu": lambda: float(a > 0),
    }[op]()
