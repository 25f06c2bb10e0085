# exercise: adjoint-table
# misconception: upstream-forgotten
# about: The product forgets the adjoint above.
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
    adjoint["x"] = w
    adjoint["w"] = x
    return adjoint
