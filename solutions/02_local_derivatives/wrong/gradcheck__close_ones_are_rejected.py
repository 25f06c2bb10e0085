# exercise: gradcheck
# misconception: answer-reversed
# about: leaves with False where both are close
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
        size = max(abs(claim), abs(measured))
        if not math.isfinite(size):
            return False
        if abs(claim - measured) <= tolerance * size:
            return False
    return True
