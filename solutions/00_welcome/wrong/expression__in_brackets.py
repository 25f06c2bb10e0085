# exercise: expression
# misconception: answer-is-an-object
# about: returns a function that would compute it
def expression(x, y):
    return lambda: (x + y) * y
