# exercise: expression
# misconception: result-rounded
# about: rounds to two digits
def expression(x, y):
    return round((x + y) * y, 2)
