# exercise: nearly_equal
# misconception: answer-reversed
# about: True when they are far apart
def nearly_equal(a, b, tolerance):
    return abs(a - b) > tolerance
