# exercise: gradcheck
# misconception: absolute-tolerance
# about: numpy.allclose with its absolute part
import numpy as np


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    measured = []
    for index in range(len(inputs)):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured.append((f(*up) - f(*down)) / (2 * h))
    return bool(np.allclose(partials(*inputs), measured, rtol=tolerance))
