# exercise: mean
# misconception: empty-input-forgotten
# about: numpy.mean of an empty list is nan
import numpy as np


def mean(numbers):
    return float(np.mean(numbers))
