# exercise: squares
# about: squares a NumPy array
import numpy as np


def squares(numbers):
    return np.asarray(numbers, dtype=float) ** 2
