# exercise: unary_partial
# misconception: relu-slope
# about: int() cuts an input below 1 to 0
import math


def unary_partial(op, a, y):
    return {
        "exp": lambda: y,
        "log": lambda: 1 / a,
        "tanh": lambda: (1 + y) * (1 - y),
        "relu": lambda: 1.0 if int(a) > 0 else 0.0,
    }[op]()
