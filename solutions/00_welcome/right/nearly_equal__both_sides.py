# exercise: nearly_equal
# about: a chained comparison instead of abs
def nearly_equal(a, b, tolerance):
    return -tolerance <= a - b <= tolerance
