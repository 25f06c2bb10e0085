# exercise: gradients
# about: adds the rows of a NumPy table of paths
import numpy as np


def gradients(x, y):
    paths = np.array([[y, 0.0], [y, x + y]])
    return paths.sum(axis=1)
