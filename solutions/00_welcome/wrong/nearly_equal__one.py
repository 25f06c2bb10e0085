# exercise: nearly_equal
# misconception: given-tolerance-unused
# about: a distance of its own
def nearly_equal(a, b, tolerance):
    close_enough = 1.0
    return abs(a - b) < close_enough
