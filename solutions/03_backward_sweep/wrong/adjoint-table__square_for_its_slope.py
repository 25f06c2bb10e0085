# exercise: adjoint-table
# misconception: value-for-adjoint
# about: hands the value of the square to e
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    d = e**2
    return {"loss": 1.0, "e": d, "z": d, "t": -d, "m": d, "b": d, "x": d * w, "w": d * x}
