# exercise: gradcheck
# about: all partials at once, with NumPy
import numpy as np


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    x = np.asarray(inputs, dtype=float)
    claims = np.asarray(partials(*inputs), dtype=float)
    if claims.shape != x.shape or not np.isfinite(claims).all():
        return False
    steps = h * np.eye(x.size)
    measured = np.array([(f(*(x + s)) - f(*(x - s))) / (2 * h) for s in steps])
    size = np.maximum(abs(claims), abs(measured))
    return np.all(abs(claims - measured) <= tolerance * size)
