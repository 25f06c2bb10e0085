# exercise: unary_partial
# misconception: slope-not-exact
# about: rounds to ten digits
def unary_partial(op, a, y):
    if op == "exp":
        return round(y, 10)
    if op == "log":
        return round(1 / a, 10)
    if op == "tanh":
        return round(1 - y * y, 10)
    return 1 if a > 0 else 0
