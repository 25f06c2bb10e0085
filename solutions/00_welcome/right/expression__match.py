# exercise: expression
# about: match and sum
def expression(x, y):
    match (x, y):
        case (_, 0):
            return 0
        case _:
            return sum([x, y]) * y
