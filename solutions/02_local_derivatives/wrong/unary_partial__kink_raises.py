# exercise: unary_partial
# misconception: kink-insisted
# about: refuses to answer at the kink
def unary_partial(op, a, y):
    if op == "exp":
        return y
    if op == "log":
        return 1 / a
    if op == "tanh":
        return 1 - y * y
    if a == 0:
        raise ValueError("relu has no derivative at 0")
    return 1 if a > 0 else 0
