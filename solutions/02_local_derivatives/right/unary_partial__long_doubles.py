# exercise: unary_partial
# about: numbers of another type
import numpy as np


def unary_partial(op, a, y):
    a, y = np.longdouble(a), np.longdouble(y)
    if op == "log":
        return 1 / a
    return {"exp": y, "tanh": 1 - y * y, "relu": np.longdouble(a > 0)}[op]
