# exercise: nearly_equal
# misconception: distance-not-compared
# about: returns the distance
def nearly_equal(a, b, tolerance):
    return abs(a - b)
