# exercise: expression
# misconception: brackets-ignored
# about: x + y * y: multiplication first
def expression(x, y):
    return x + y * y
