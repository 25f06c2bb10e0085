# exercise: adjoint-table
# about: computes with NumPy numbers, and gives them
import numpy as np


def adjoint_table(x, w, b, t):
    x, w, b, t = np.array([x, w, b, t], dtype=np.float64)
    e = 2 * (x * w + b - t)
    return {"loss": np.float64(1), "e": e, "z": e, "m": e, "x": e * w, "w": e * x, "b": e, "t": -e}
