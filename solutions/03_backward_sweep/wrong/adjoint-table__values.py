# exercise: adjoint-table
# misconception: value-for-adjoint
# about: Stores the values of the nodes in between, then multiplies by those.
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    return {"loss": 1.0, "e": 2 * e, "z": z, "t": -z, "m": m, "b": z, "x": m * w, "w": m * x}
