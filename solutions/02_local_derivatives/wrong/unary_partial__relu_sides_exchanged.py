# exercise: unary_partial
# misconception: relu-slope
# about: 1 on the left
import math


def unary_partial(op, a, y):
    return {
        "exp": lambda: y,
        "log": lambda: 1 / a,
        "tanh": lambda: (1 + y) * (1 - y),
        "relu": lambda: float(a < 0),
    }[op]()
