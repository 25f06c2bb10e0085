# exercise: adjoint-table
# misconception: zero-taken-for-none
# about: writes None for 0
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    d = 2 * e
    a = {"loss": 1.0, "e": d, "z": d, "t": -d, "m": d, "b": d, "x": d * w, "w": d * x}
    return {name: item or None for name, item in a.items()}
