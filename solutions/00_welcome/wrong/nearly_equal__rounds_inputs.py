# exercise: nearly_equal
# misconception: result-rounded
# about: rounds both numbers first
def nearly_equal(a, b, tolerance):
    a, b = round(a, 3), round(b, 3)
    return abs(a - b) <= tolerance
