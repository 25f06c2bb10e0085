# exercise: unary_partial
# misconception: tanh-not-squared
# about: the square forgotten in 1/cosh²
import math


def unary_partial(op, a, y):
    return {
        "exp": lambda: y,
        "log": lambda: 1 / a,
        "tanh": lambda: 1 / math.cosh(a),
        "relu": lambda: float(a > 0),
    }[op]()
