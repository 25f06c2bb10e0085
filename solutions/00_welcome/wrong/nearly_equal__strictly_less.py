# exercise: nearly_equal
# misconception: boundary-left-out
# about: < where <= is asked
def nearly_equal(a, b, tolerance):
    return abs(a - b) < tolerance
