# exercise: binary_partials
# misconception: slope-not-exact
# about: measures with four points and a step that fits the operand
def binary_partials(op, a, b, y):
    f = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "**": lambda a, b: a**b,
    }[op]

    def d(g, x):
        h = 1e-3 * (abs(x) or 1)
        return (8 * (g(x + h) - g(x - h)) - (g(x + 2 * h) - g(x - 2 * h))) / (12 * h)

    return d(lambda t: f(t, b), a), d(lambda t: f(a, t), b)
