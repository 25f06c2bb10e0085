# exercise: expression
# misconception: result-rounded
# about: makes an integer of the result
def expression(x, y):
    return int((x + y) * y)
