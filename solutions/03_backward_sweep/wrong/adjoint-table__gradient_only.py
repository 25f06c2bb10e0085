# exercise: adjoint-table
# misconception: adjoints-in-between-missing
# about: the four inputs only
def adjoint_table(x, w, b, t):
    d = 2 * (x * w + b - t)
    return {"x": d * w, "w": d * x, "b": d, "t": -d}
