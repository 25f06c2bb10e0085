# exercise: expression
# hidden-only: agrees wherever the result has at most two decimals
# about: rounds to two digits
def expression(x, y):
    return round((x + y) * y, 2)
