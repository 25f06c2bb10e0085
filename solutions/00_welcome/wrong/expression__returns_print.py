# exercise: expression
# misconception: nothing-returned
# about: returns what print gives
def expression(x, y):
    return print((x + y) * y)
