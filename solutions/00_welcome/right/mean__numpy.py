# exercise: mean
# about: numpy.mean with a rule for the empty list
import numpy as np


def mean(numbers):
    return np.mean(numbers) if len(numbers) else np.float64(0)
