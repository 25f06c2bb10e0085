# exercise: nearly_equal
# misconception: tolerance-made-relative
# about: a share of what is larger than 1
def nearly_equal(a, b, tolerance):
    scale = max(1.0, abs(a), abs(b))
    return abs(a - b) <= tolerance * scale
