# exercise: nearly_equal
# about: not further apart
def nearly_equal(a, b, tolerance):
    high, low = max(a, b), min(a, b)
    return not high - low > tolerance
