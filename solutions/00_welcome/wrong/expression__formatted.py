# exercise: expression
# misconception: result-rounded
# about: goes through a string of three digits and back
def expression(x, y):
    return float(format((x + y) * y, ".3f"))
