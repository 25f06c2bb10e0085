# exercise: adjoint-table
# misconception: adjoint-for-value
# about: gives the adjoints the names of the values
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    loss = 1.0
    e = loss * 2 * e
    z, t = e, -e
    m, b = z, z
    x = m * w
    w = m * x
    return {"loss": loss, "e": e, "z": z, "t": t, "m": m, "b": b, "x": x, "w": w}
