# exercise: nearly_equal
# misconception: tolerance-made-relative
# about: a share of the larger number
def nearly_equal(a, b, tolerance):
    return abs(a - b) <= tolerance * max(abs(a), abs(b))
