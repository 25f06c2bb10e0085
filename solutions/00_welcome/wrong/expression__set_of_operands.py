# exercise: expression
# misconception: equal-values-taken-for-one
# about: adds the operands up in a set
def expression(x, y):
    total = sum(set([x, y]))
    return total * y
