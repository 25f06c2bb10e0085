# exercise: telling_inputs
# about: NumPy arrays
import numpy as np


def telling_inputs():
    pair = np.array([[3.0, 7.0]])
    return {
        "*": pair,
        "/": pair,
        "**": np.array([[2.0, 3.0]]),
        "tanh": np.array([0.5]),
        "relu": np.array([-1.0, 1.0]),
    }
