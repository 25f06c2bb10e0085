# exercise: gradients
# unnamed: an answer by cases
# about: takes x = 0 for no x at all
def gradients(x, y):
    if not x:
        return 0.0, 2 * y
    return y, x + 2 * y
