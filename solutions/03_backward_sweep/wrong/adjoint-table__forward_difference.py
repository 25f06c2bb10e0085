# exercise: adjoint-table
# misconception: adjoints-only-close
# about: nudges every input by a thousandth
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    f = lambda x, w, b, t: (x * w + b - t) ** 2
    h, d = 1e-3, 2 * e
    return {
        "loss": 1.0, "e": d, "z": d, "m": d,
        "x": (f(x + h, w, b, t) - loss) / h,
        "w": (f(x, w + h, b, t) - loss) / h,
        "b": (f(x, w, b + h, t) - loss) / h,
        "t": (f(x, w, b, t + h) - loss) / h,
    }
