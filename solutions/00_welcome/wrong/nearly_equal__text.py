# exercise: nearly_equal
# misconception: result-as-text
# about: returns 'True' and 'False' in quotes
def nearly_equal(a, b, tolerance):
    return "True" if abs(a - b) <= tolerance else "False"
