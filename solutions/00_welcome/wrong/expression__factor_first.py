# exercise: expression
# misconception: multiplication-sign-missing
# about: writes the factor before the brackets
def expression(x, y):
    total = y(x + y)
    return total
