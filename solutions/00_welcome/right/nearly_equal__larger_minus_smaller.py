# exercise: nearly_equal
# about: orders the numbers first
def nearly_equal(a, b, tolerance):
    larger, smaller = max(a, b), min(a, b)
    if larger - smaller <= tolerance:
        return True
    return False
