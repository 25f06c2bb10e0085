# exercise: central_difference
# misconception: difference-moves-all
# about: adds h to an array
import numpy as np


def central_difference(f, inputs, index, h):
    point = np.array(inputs, dtype=float)
    return float((f(*(point + h)) - f(*(point - h))) / (2 * h))
