# exercise: expression
# misconception: result-rounded
# about: makes integers of the inputs
def expression(x, y):
    x, y = int(x), int(y)
    return (x + y) * y
