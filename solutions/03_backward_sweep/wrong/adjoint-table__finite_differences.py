# exercise: adjoint-table
# misconception: adjoints-only-close
# about: measures every adjoint by a central difference
def adjoint_table(x, w, b, t):
    h = 1e-6
    f = lambda x, w, b, t: (x * w + b - t) ** 2
    m = x * w
    z = m + b
    e = z - t
    c = lambda g, v: (g(v + h) - g(v - h)) / (2 * h)
    return {
        "loss": 1.0,
        "e": c(lambda e: e**2, e),
        "z": c(lambda z: (z - t) ** 2, z),
        "m": c(lambda m: (m + b - t) ** 2, m),
        "x": c(lambda v: f(v, w, b, t), x),
        "w": c(lambda v: f(x, v, b, t), w),
        "b": c(lambda v: f(x, w, v, t), b),
        "t": c(lambda v: f(x, w, b, v), t),
    }
