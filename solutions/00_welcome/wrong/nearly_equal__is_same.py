# exercise: nearly_equal
# misconception: compared-exactly
# about: asks whether the difference is 0
def nearly_equal(a, b, tolerance):
    return a - b == 0
