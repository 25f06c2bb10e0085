# exercise: gradcheck
# misconception: divided-by-one-size
# about: divides by the measured slope
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
        if claim == measured == 0:
            continue
        if not abs(claim - measured) / abs(measured) <= tolerance:
            return False
    return True
