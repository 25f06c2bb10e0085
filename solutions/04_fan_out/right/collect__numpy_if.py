# exercise: collect
# about: a product of two NumPy vectors, with the empty list apart
import numpy as np


def collect(uses):
    if not uses:
        return 0.0
    u, l = np.array(uses).T
    return u @ l
