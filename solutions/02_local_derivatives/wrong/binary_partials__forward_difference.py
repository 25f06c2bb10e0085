# exercise: binary_partials
# misconception: slope-not-exact
# about: measures with a small step instead of using a rule
def binary_partials(op, a, b, y):
    f = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "**": lambda a, b: a**b,
    }[op]
    h = 1e-6
    return (f(a + h, b) - y) / h, (f(a, b + h) - y) / h
