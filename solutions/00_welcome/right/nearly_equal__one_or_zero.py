# exercise: nearly_equal
# about: 1 for yes and 0 for no
def nearly_equal(a, b, tolerance):
    return 1 if max(a - b, b - a) <= tolerance else 0
