# exercise: gradients
# about: a dict of adjoints that contributions are added to, returned as a list
def gradients(x, y):
    a = x + y
    adjoint = {"x": 0.0, "y": 0.0, "a": 0.0, "f": 1.0}
    adjoint["a"] += adjoint["f"] * y
    adjoint["y"] += adjoint["f"] * a
    adjoint["x"] += adjoint["a"]
    adjoint["y"] += adjoint["a"]
    return [adjoint["x"], adjoint["y"]]
