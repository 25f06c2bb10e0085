# exercise: adjoint-table
# unnamed: three of eight points only, by a sign
# about: takes the error without its sign
def adjoint_table(x, w, b, t):
    e = abs(x * w + b - t)
    return {"loss": 1.0, "e": 2 * e, "z": 2 * e, "t": -2 * e, "m": 2 * e, "b": 2 * e, "x": 2 * e * w, "w": 2 * e * x}
