# exercise: adjoints-along
# about: makes long doubles of the partials; NumPy's cumulative product
import numpy as np


def adjoints_along(partials):
    factors = np.array([float(partial) for partial in partials] + [1.0], dtype=np.longdouble)
    return np.cumprod(factors[::-1])[::-1]
