# exercise: gradcheck
# misconception: divided-by-another-size
# about: min for max
import math


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    if len(claims) != len(inputs):
        return False
    for index in range(len(inputs)):
        claim = claims[index]
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured = (f(*up) - f(*down)) / (2 * h)
        size = min(abs(claim), abs(measured))
        if not abs(claim - measured) <= tolerance * size:
            return False
    return True
