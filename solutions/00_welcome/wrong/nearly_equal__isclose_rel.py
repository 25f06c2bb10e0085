# exercise: nearly_equal
# misconception: tolerance-made-relative
# about: takes the tolerance for a relative one
import math


def nearly_equal(a, b, tolerance):
    return math.isclose(a, b, rel_tol=tolerance)
