# exercise: expression
# misconception: sum-times-itself
# about: takes both factors for the sum
def expression(x, y):
    total = x + y
    return total**2
