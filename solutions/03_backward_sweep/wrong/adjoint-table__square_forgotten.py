# exercise: adjoint-table
# misconception: local-derivative-forgotten
# about: hands the seed through the square as it is
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    a = {"loss": 1.0}
    a["e"] = a["loss"]
    a["z"], a["t"] = a["e"], -a["e"]
    a["m"], a["b"] = a["z"], a["z"]
    a["x"], a["w"] = a["m"] * w, a["m"] * x
    return a
