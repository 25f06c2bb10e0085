# exercise: nearly_equal
# misconception: always-the-same
# about: leaves the inputs out
def nearly_equal(a, b, tolerance):
    return False
