# exercise: adjoints-along
# about: NumPy's cumulative product.
import numpy as np


def adjoints_along(partials):
    factors = np.append(np.asarray(partials, dtype=float), 1.0)
    return np.cumprod(factors[::-1])[::-1]
