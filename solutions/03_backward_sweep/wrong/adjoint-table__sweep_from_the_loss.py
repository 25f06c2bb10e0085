# exercise: adjoint-table
# misconception: value-for-adjoint
# about: has 1 for the loss, and goes on with its value
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    a = {"loss": 1.0}
    a["e"] = loss * 2 * e
    a["z"], a["t"] = a["e"], -a["e"]
    a["m"], a["b"] = a["z"], a["z"]
    a["x"], a["w"] = a["m"] * w, a["m"] * x
    return a
