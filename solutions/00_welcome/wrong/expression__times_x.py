# exercise: expression
# misconception: operands-mixed-up
# about: multiplies the sum by x
def expression(x, y):
    return (x + y) * x
