# exercise: unary_partial
# misconception: kink-insisted
# about: divides the result by the input
def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y * y
    return y / a
