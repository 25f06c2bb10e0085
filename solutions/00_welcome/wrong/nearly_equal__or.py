# exercise: nearly_equal
# misconception: always-the-same
# about: or in place of and: always true
def nearly_equal(a, b, tolerance):
    return a - b <= tolerance or b - a <= tolerance
