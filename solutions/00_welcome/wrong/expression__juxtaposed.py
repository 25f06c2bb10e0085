# exercise: expression
# misconception: multiplication-sign-missing
# about: writes the product as on paper
def expression(x, y):
    return (x + y)(y)
