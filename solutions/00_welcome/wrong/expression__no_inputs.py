# exercise: expression
# misconception: parameters-of-its-own
# about: takes no inputs, and uses the notebook's x and y
def expression():
    return (x + y) * y
