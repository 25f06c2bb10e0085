# exercise: unary_partial
# about: NumPy scalars, heaviside for relu
import numpy as np


def unary_partial(op, a, y):
    a, y = np.float64(a), np.float64(y)
    if op == "exp":
        return np.exp(a)
    if op == "log":
        return np.reciprocal(a)
    if op == "tanh":
        return np.cosh(a) ** -2
    return np.heaviside(a, 0.5)
