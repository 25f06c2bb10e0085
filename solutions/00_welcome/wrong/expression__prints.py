# exercise: expression
# misconception: nothing-returned
# about: prints the value and returns nothing
def expression(x, y):
    print((x + y) * y)
