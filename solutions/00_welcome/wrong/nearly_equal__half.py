# exercise: nearly_equal
# misconception: given-tolerance-unused
# about: the tolerance of the worked numbers
def nearly_equal(a, b, tolerance):
    return abs(a - b) <= 0.5
