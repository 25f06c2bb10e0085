# exercise: unary_partial
# misconception: rows-computed-together
# about: a dict of finished numbers
import math


def unary_partial(op, a, y):
    return {"exp": y, "log": 1 / a, "tanh": 1 - y**2, "relu": 1.0 if a > 0 else 0.0}[op]
