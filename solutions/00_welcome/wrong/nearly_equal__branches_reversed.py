# exercise: nearly_equal
# misconception: answer-reversed
# about: exchanges the branches
def nearly_equal(a, b, tolerance):
    if abs(a - b) <= tolerance:
        return False
    else:
        return True
