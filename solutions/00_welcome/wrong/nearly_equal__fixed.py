# exercise: nearly_equal
# misconception: given-tolerance-unused
# about: a small number of its own
def nearly_equal(a, b, tolerance):
    return abs(a - b) < 1e-9
