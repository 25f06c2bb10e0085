# exercise: nearly_equal
# misconception: tolerance-made-relative
# about: math.isclose with a relative tolerance added
import math


def nearly_equal(a, b, tolerance):
    return math.isclose(a, b, rel_tol=1e-4, abs_tol=tolerance)
