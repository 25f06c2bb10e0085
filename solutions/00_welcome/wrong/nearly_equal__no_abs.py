# exercise: nearly_equal
# misconception: absolute-value-lost
# about: forgets the absolute value
def nearly_equal(a, b, tolerance):
    return a - b <= tolerance
