# exercise: nearly_equal
# misconception: absolute-value-lost
# about: looks at one side only
def nearly_equal(a, b, tolerance):
    if a <= b + tolerance:
        return True
    return False
