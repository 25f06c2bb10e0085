# exercise: expression
# misconception: equal-values-taken-for-one
# about: adds the two terms up in a set
def expression(x, y):
    terms = {x * y, y * y}
    return sum(terms)
