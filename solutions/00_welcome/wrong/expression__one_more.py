# exercise: expression
# misconception: one-term-multiplied
# about: takes y out of the sum in the wrong way
def expression(x, y):
    factor = x + 1
    return factor * y
