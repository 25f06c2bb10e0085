# exercise: nearly_equal
# misconception: boundary-left-out
# about: not at least the tolerance
def nearly_equal(a, b, tolerance):
    if abs(a - b) >= tolerance:
        return False
    return True
