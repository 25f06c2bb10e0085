# exercise: nearly_equal
# misconception: tolerance-made-relative
# about: divides the distance by a
def nearly_equal(a, b, tolerance):
    return abs(a - b) <= tolerance * abs(a)
