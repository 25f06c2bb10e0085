# exercise: central_difference
# about: adds a unit vector
import numpy as np


def central_difference(f, inputs, index, h):
    step = h * np.eye(len(inputs))[index]
    return np.float64(f(*(inputs + step)) - f(*(inputs - step))) / (2 * h)
