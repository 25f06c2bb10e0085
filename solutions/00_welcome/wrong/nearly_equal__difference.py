# exercise: nearly_equal
# misconception: distance-not-compared
# about: returns the difference
def nearly_equal(a, b, tolerance):
    return a - b
