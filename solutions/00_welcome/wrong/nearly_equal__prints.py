# exercise: nearly_equal
# misconception: nothing-returned
# about: prints yes or no
def nearly_equal(a, b, tolerance):
    print(abs(a - b) <= tolerance)
