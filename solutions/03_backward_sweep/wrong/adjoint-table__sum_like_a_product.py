# exercise: adjoint-table
# unnamed: the rule of another operation
# about: treats the sum m + b as a product
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    a = {"loss": 1.0}
    a["e"] = 2 * e
    a["z"], a["t"] = a["e"], -a["e"]
    a["m"], a["b"] = a["z"] * b, a["z"] * m
    a["x"], a["w"] = a["m"] * w, a["m"] * x
    return a
