# exercise: nearly_equal
# misconception: answer-reversed
# about: turns the answer round with not
def nearly_equal(a, b, tolerance):
    return not abs(a - b) <= tolerance
