# exercise: nearly_equal
# about: exchanges the numbers when they come the wrong way round
def nearly_equal(a, b, tolerance):
    if a < b:
        return nearly_equal(b, a, tolerance)
    return not a - b > tolerance
