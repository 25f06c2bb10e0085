# exercise: nearly_equal
# misconception: absolute-value-lost
# about: calls them close only where a is the larger one
def nearly_equal(a, b, tolerance):
    return a - b >= 0 and a - b <= tolerance
