# exercise: nearly_equal
# misconception: boundary-left-out
# about: < with a rule for equal numbers
def nearly_equal(a, b, tolerance):
    return abs(a - b) < tolerance or a == b
