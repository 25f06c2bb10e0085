# exercise: nearly_equal
# misconception: tolerance-made-relative
# about: math.isclose keeps its relative tolerance
import math


def nearly_equal(a, b, tolerance):
    return math.isclose(a, b, abs_tol=tolerance)
