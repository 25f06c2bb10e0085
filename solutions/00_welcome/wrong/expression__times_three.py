# exercise: expression
# misconception: example-written-in
# about: the factor of the example in place of y
def expression(x, y):
    return (x + y) * 3
