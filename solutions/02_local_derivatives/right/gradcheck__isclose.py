# exercise: gradcheck
# about: math.isclose does the comparing, zip in its strict form the counting
import math


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    def measured(index):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        return (f(*up) - f(*down)) / (2 * h)

    try:
        pairs = list(zip(partials(*inputs), map(measured, range(len(inputs))), strict=True))
    except ValueError:
        return False
    return all(math.isclose(claim, slope, rel_tol=tolerance) for claim, slope in pairs)
