# exercise: nearly_equal
# misconception: nothing-returned
# about: says nothing where b is the larger one
def nearly_equal(a, b, tolerance):
    if a >= b:
        return a - b <= tolerance
