# exercise: adjoint-table
# misconception: seed-not-one
# about: Writes the loss into its own entry, and goes on with 1.
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    adjoint = {"loss": loss}
    adjoint["e"] = 2 * e
    adjoint["z"] = adjoint["e"] * 1
    adjoint["t"] = adjoint["e"] * -1
    adjoint["m"] = adjoint["z"] * 1
    adjoint["b"] = adjoint["z"] * 1
    adjoint["x"] = adjoint["m"] * w
    adjoint["w"] = adjoint["m"] * x
    return adjoint
