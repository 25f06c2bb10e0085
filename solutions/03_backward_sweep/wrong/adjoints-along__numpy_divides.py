# exercise: adjoints-along
# misconception: product-divided-out
# about: the whole product divided by NumPy's cumulative one
import numpy as np
def adjoints_along(partials):
    before = np.cumprod([1.0, *partials])
    with np.errstate(all="ignore"):
        return before[-1] / before
