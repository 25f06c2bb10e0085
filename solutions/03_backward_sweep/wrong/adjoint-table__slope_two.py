# exercise: adjoint-table
# unnamed: the slope of a square taken for a number
# about: the slope of the square is 2
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    return {"loss": 1.0, "e": 2.0, "z": 2.0, "t": -2.0, "m": 2.0, "b": 2.0, "x": 2.0 * w, "w": 2.0 * x}
