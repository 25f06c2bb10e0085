# exercise: unary_partial
# about: answers with a truth value for relu
from math import exp


def unary_partial(op, a, y):
    return {"exp": y, "log": 1 / (a or 1), "tanh": 1 - y * y, "relu": y > 0}[op]
