# exercise: gradients
# about: collects in a dict, and gives a list of what is in it


def gradients(x, y):
    adjoint = {"f": 1.0, "a": 0.0, "x": 0.0, "y": 0.0}
    for user, local, operand in (("f", y, "a"), ("f", x + y, "y"), ("a", 1.0, "x"), ("a", 1.0, "y")):
        adjoint[operand] += adjoint[user] * local
    return [adjoint[name] for name in "xy"]
