# exercise: adjoint-table
# misconception: upstream-forgotten
# about: Bare local derivatives below the square.
def adjoint_table(x, w, b, t):
    e = x * w + b - t
    return {"loss": 1.0, "e": 2 * e, "z": 1.0, "t": -1.0, "m": 1.0, "b": 1.0, "x": w, "w": x}
