# exercise: binary_partials
# about: computes with NumPy arrays
import numpy as np


def binary_partials(op, a, b, y):
    a, b = np.float64(a), np.float64(b)
    rows = {
        "+": lambda: np.array([1.0, 1.0]),
        "-": lambda: np.array([1.0, -1.0]),
        "*": lambda: np.array([b, a]),
        "/": lambda: np.array([1 / b, -a / np.square(b)]),
        "**": lambda: np.array([b * np.power(a, b - 1), np.power(a, b) * np.log(a)]),
    }
    return rows[op]()
