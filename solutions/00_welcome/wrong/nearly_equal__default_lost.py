# exercise: nearly_equal
# misconception: given-tolerance-unused
# about: sets the tolerance again
def nearly_equal(a, b, tolerance=1e-9):
    tolerance = 1e-9
    return abs(a - b) <= tolerance
