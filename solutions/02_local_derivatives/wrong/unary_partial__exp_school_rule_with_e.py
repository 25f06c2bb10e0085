# exercise: unary_partial
# misconception: exp-power-rule
# about: a · e to the power a − 1
import math


def unary_partial(op, a, y):
    return {
        "exp": lambda: a * math.e ** (a - 1),
        "log": lambda: 1 / a,
        "tanh": lambda: (1 + y) * (1 - y),
        "relu": lambda: float(a > 0),
    }[op]()
