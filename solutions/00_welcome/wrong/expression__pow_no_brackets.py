# exercise: expression
# misconception: brackets-ignored
# about: squares y first
def expression(x, y):
    square = pow(y, 2)
    return x + square
