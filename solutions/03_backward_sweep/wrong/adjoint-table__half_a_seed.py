# exercise: adjoint-table
# misconception: seed-not-one
# about: a seed of one half, against the 2 of the square
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    a = {"loss": 0.5}
    a["e"] = a["loss"] * 2 * e
    a["z"], a["t"] = a["e"], -a["e"]
    a["m"], a["b"] = a["z"], a["z"]
    a["x"], a["w"] = a["m"] * w, a["m"] * x
    return a
