# exercise: nearly_equal
# misconception: boundary-left-out
# about: strictly between
def nearly_equal(a, b, tolerance):
    return -tolerance < a - b < tolerance
