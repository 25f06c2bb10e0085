# exercise: nearly_equal
# misconception: nothing-returned
# about: returns True and, where it is not, nothing
def nearly_equal(a, b, tolerance):
    if abs(a - b) <= tolerance:
        return True
