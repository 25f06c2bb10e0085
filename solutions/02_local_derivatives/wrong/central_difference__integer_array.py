# exercise: central_difference
# misconception: difference-in-integers
# about: a NumPy copy that keeps integers
import numpy as np


def central_difference(f, inputs, index, h):
    up, down = np.array(inputs), np.array(inputs)
    up[index] = up[index] + h
    down[index] = down[index] - h
    return (f(*up) - f(*down)) / (2 * h)
