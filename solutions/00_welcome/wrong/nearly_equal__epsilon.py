# exercise: nearly_equal
# hidden-only: wrong only where the distance is that of two neighbouring numbers
# about: adds the machine's epsilon to the tolerance
import sys


def nearly_equal(a, b, tolerance):
    return abs(a - b) <= tolerance + sys.float_info.epsilon
