# exercise: expression
# misconception: operands-mixed-up
# about: writes the parameters in the other order
def expression(y, x):
    summed = x + y
    return summed * y
