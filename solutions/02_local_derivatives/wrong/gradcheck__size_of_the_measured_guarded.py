# exercise: gradcheck
# misconception: divided-by-one-size
# about: divides by the measured slope, unless it is 0
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
        size = abs(measured)
        if not (claim == measured or (size > 0 and abs(claim - measured) / size <= tolerance)):
            return False
    return True
