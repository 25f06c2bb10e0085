# exercise: nearly_equal
# about: math.isclose with an absolute tolerance
import math


def nearly_equal(a, b, tolerance):
    return math.isclose(a, b, rel_tol=0.0, abs_tol=tolerance)
