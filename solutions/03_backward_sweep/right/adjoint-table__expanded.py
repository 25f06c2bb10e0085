# exercise: adjoint-table
# about: Every adjoint written out as a product.
def adjoint_table(x, w, b, t):
    e = x * w + b - t
    return {
        "loss": 1,
        "e": 2 * e,
        "z": 2 * e,
        "m": 2 * e,
        "t": -2 * e,
        "b": 2 * e,
        "x": 2 * e * w,
        "w": 2 * e * x,
    }
