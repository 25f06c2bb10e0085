# exercise: gradcheck
# hidden-only: wrong only for slopes between the visible tiny ones and 1
# about: a small absolute tolerance beside the relative one
import math


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    if len(claims) != len(inputs):
        return False
    for index, claim in enumerate(claims):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured = (f(*up) - f(*down)) / (2 * h)
        size = max(abs(claim), abs(measured))
        if not math.isclose(claim, measured, rel_tol=tolerance, abs_tol=1e-9):
            return False
    return True
