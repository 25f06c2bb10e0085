# exercise: expression
# about: names the sum first
def expression(x, y):
    total = x + y
    return total * y
