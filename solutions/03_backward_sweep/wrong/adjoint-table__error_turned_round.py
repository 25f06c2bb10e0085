# exercise: adjoint-table
# unnamed: the error with the other sign
# about: takes t − z for the error
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    e = t - z
    d = 2 * e
    return {"loss": 1, "e": d, "z": d, "t": -d, "m": d, "b": d, "x": d * w, "w": d * x}
