# exercise: nearly_equal
# about: a factory of comparisons
def _within(tolerance):
    def compare(a, b):
        return abs(complex(a - b)) <= tolerance

    return compare


def nearly_equal(a, b, tolerance=1e-9):
    return _within(tolerance)(a, b)
