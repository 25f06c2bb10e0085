# exercise: expression
# misconception: result-as-text
# about: returns the formula itself
def expression(x, y):
    return "(x + y) * y"
