# exercise: nearly_equal
# misconception: tolerance-made-relative
# about: numpy.isclose keeps its relative part
import numpy as np


def nearly_equal(a, b, tolerance):
    return bool(np.isclose(a, b, atol=tolerance))
