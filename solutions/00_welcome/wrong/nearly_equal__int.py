# exercise: nearly_equal
# misconception: result-rounded
# about: cuts off the decimals first
def nearly_equal(a, b, tolerance):
    return abs(int(a) - int(b)) <= tolerance
