# exercise: adjoint-table
# misconception: adjoints-only-close
# about: rounds to one place
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    d = 2 * e
    a = {"loss": 1.0, "e": d, "z": d, "t": -d, "m": d, "b": d, "x": d * w, "w": d * x}
    return {name: round(item, 1) for name, item in a.items()}
