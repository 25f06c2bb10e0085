# exercise: collect
# misconception: empty-input-forgotten
# about: NumPy columns of an empty list
import numpy as np


def collect(uses):
    table = np.array(uses)
    return float(table[:, 0] @ table[:, 1])
