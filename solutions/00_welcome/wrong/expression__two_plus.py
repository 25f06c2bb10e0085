# exercise: expression
# misconception: example-written-in
# about: the first number of the example in place of x
def expression(x, y):
    total = 2 + y
    return total * y
