# exercise: nearly_equal
# misconception: distance-squared
# about: compares the squared distance with the tolerance
def nearly_equal(a, b, tolerance):
    return (a - b) ** 2 <= tolerance
