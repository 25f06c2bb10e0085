# exercise: central_difference
# about: the mean of the two one-sided slopes, with NumPy
import numpy as np


def central_difference(f, inputs, index, h):
    x = np.array(inputs, dtype=float)
    step = np.zeros(len(x))
    step[index] = h
    middle = f(*x)
    return ((f(*(x + step)) - middle) / h + (middle - f(*(x - step))) / h) / 2
