# exercise: adjoint-table
# misconception: local-derivative-forgotten
# about: hands the adjoint of the product on to both factors as it is
def adjoint_table(x, w, b, t):
    d = 2 * (x * w + b - t)
    return {"loss": 1.0, "e": d, "z": d, "t": -d, "m": d, "b": d, "x": d, "w": d}
