# exercise: expression
# misconception: example-written-in
# about: returns the example's 15
def expression(x, y):
    return 15.0
