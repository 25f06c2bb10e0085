# exercise: nearly_equal
# unnamed: yes
# about: widens the tolerance a little
def nearly_equal(a, b, tolerance):
    return abs(a - b) <= tolerance + 1e-9
