# exercise: gradients
# about: adjoints in a dict, one line of a list for each use
def gradients(x, y):
    a = x + y
    adjoint = {"f": 1, "a": 0, "x": 0, "y": 0}
    for to, frm, local in [("a", "f", y), ("y", "f", a), ("x", "a", 1), ("y", "a", 1)]:
        adjoint[to] += adjoint[frm] * local
    return adjoint["x"], adjoint["y"]
