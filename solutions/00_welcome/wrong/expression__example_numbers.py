# exercise: expression
# misconception: example-written-in
# about: computes with the numbers of the example instead of x and y
def expression(x, y):
    return (2.0 + 3.0) * 3.0
