# exercise: expression
# misconception: nothing-returned
# about: stores the result in a name and stops
def expression(x, y):
    result = (x + y) * y
