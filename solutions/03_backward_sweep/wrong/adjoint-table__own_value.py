# exercise: adjoint-table
# misconception: product-own-value
# about: x gets x, and w gets w.
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    adjoint = {"loss": 1.0}
    adjoint["e"] = adjoint["loss"] * 2 * e
    adjoint["z"] = adjoint["e"] * 1
    adjoint["t"] = adjoint["e"] * -1
    adjoint["m"] = adjoint["z"] * 1
    adjoint["b"] = adjoint["z"] * 1
    adjoint["x"] = adjoint["m"] * x
    adjoint["w"] = adjoint["m"] * w
    return adjoint
