# exercise: adjoint-table
# misconception: adjoint-for-value
# about: multiplies by the adjoint of the other factor
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    a = {"loss": 1.0, "e": 2 * e, "z": 2 * e, "t": -2 * e, "m": 2 * e, "b": 2 * e}
    a["w"] = a["m"] * x
    a["x"] = a["m"] * a["w"]
    return a
