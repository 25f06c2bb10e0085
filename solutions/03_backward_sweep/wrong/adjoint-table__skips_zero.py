# exercise: adjoint-table
# misconception: zero-taken-for-none
# about: Leaves out adjoints that are 0.
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
    adjoint["x"] = adjoint["m"] * w
    adjoint["w"] = adjoint["m"] * x
    return {name: item for name, item in adjoint.items() if item}
