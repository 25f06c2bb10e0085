# exercise: nearly_equal
# misconception: compared-exactly
# about: compares with ==
def nearly_equal(a, b, tolerance):
    return a == b
