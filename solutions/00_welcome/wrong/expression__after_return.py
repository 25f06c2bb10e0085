# exercise: expression
# misconception: only-half-computed
# about: the product stands below the return
def expression(x, y):
    total = x + y
    return total
    total = total * y
