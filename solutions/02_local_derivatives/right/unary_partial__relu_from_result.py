# exercise: unary_partial
# about: everything from the result
import math


def unary_partial(op, a, y):
    slopes = {
        "exp": lambda: y,
        "log": lambda: math.exp(-y),
        "tanh": lambda: 1 - math.pow(y, 2),
        "relu": lambda: int(y > 0),
    }
    return slopes[op]()
