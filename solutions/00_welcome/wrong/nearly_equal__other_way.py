# exercise: nearly_equal
# misconception: absolute-value-lost
# about: subtracts the other way
def nearly_equal(a, b, tolerance):
    difference = b - a
    return difference <= tolerance
