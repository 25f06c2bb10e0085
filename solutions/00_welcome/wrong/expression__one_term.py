# exercise: expression
# misconception: one-term-multiplied
# about: multiplies out, and forgets the second term
def expression(x, y):
    return x * y + y
