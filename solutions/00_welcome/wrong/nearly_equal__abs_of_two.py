# exercise: nearly_equal
# unnamed: yes
# about: gives abs two arguments
def nearly_equal(a, b, tolerance):
    return abs(a, b) <= tolerance
