# exercise: nearly_equal
# misconception: distance-of-sizes
# about: subtracts sizes, without abs around it
def nearly_equal(a, b, tolerance):
    return abs(a) - abs(b) <= tolerance
