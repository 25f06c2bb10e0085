# exercise: gradcheck
# misconception: difference-half-the-width
# about: divides by h
import math


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    if len(claims) != len(inputs):
        return False
    for index, claim in enumerate(claims):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        measured = (f(*up) - f(*down)) / h
        size = max(abs(claim), abs(measured))
        if not (math.isfinite(size) and abs(claim - measured) <= tolerance * size):
            return False
    return True
