# exercise: expression
# about: uses x*y + y*y, the same polynomial
def expression(x, y):
    return x * y + y**2
