# exercise: nearly_equal
# misconception: result-rounded
# about: rounds the distance
def nearly_equal(a, b, tolerance):
    return round(abs(a - b), 2) <= tolerance
