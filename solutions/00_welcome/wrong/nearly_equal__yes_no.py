# exercise: nearly_equal
# misconception: result-as-text
# about: answers in words
def nearly_equal(a, b, tolerance):
    if abs(a - b) <= tolerance:
        return "yes"
    return "no"
