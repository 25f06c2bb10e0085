# exercise: expression
# misconception: sum-times-itself
# about: keeps the sum in y and then needs the old y
def expression(x, y):
    y += x
    return y * y
