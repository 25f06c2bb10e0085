# exercise: expression
# misconception: only-half-computed
# about: stops after the addition
def expression(x, y):
    total = x + y
    total * y
    return total
