# exercise: nearly_equal
# misconception: absolute-value-lost
# about: the bracket of abs closes too late
def nearly_equal(a, b, tolerance):
    return abs(a - b <= tolerance)
