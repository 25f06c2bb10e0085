# exercise: nearly_equal
# misconception: distance-of-sizes
# about: absolute value of each number
def nearly_equal(a, b, tolerance):
    return abs(abs(a) - abs(b)) <= tolerance
