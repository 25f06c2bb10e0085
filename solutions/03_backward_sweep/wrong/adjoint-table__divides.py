# exercise: adjoint-table
# hidden-only: only a hidden test has x = 0 or w = 0
# about: Divides m by x to get w, which fails at 0.
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
    adjoint["x"] = adjoint["m"] * (m / x)
    adjoint["w"] = adjoint["m"] * x
    return adjoint
