# exercise: adjoint-table
# about: A small sweep over a table of steps.
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    steps = [
        ("loss", {"e": 2 * e}),
        ("e", {"z": 1.0, "t": -1.0}),
        ("z", {"m": 1.0, "b": 1.0}),
        ("m", {"x": w, "w": x}),
    ]
    adjoint = {"loss": 1.0}
    for name, partials in steps:
        for operand, partial in partials.items():
            adjoint[operand] = adjoint[name] * partial
    return adjoint
