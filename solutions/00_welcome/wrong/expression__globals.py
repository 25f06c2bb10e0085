# exercise: expression
# misconception: example-written-in
# about: renames the inputs and computes with the notebook's x and y
x, y = 2.0, 3.0


def expression(a, b):
    return (x + y) * y
