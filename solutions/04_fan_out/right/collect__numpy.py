# exercise: collect
# about: the products of two columns, summed by NumPy
import numpy as np


def collect(uses):
    table = np.array(uses, dtype=float).reshape(-1, 2)
    return (table[:, 0] * table[:, 1]).sum()
