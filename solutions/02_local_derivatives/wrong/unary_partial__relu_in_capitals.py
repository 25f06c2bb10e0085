# exercise: unary_partial
# misconception: no-case-for-it
# about: the name in capitals
import math


def unary_partial(op, a, y):
    return {
        "exp": lambda: y,
        "log": lambda: 1 / a,
        "tanh": lambda: (1 + y) * (1 - y),
        "ReLU": lambda: float(a > 0),
    }[op]()
