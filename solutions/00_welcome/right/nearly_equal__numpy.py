# exercise: nearly_equal
# about: answers with NumPy's truth value
import numpy as np


def nearly_equal(a, b, tolerance):
    return np.less_equal(np.abs(np.subtract(a, b)), tolerance)
