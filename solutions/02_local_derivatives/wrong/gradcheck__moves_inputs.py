# exercise: gradcheck
# misconception: difference-changes-inputs
# about: nudges the caller's list
import math


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    if len(claims) != len(inputs):
        return False
    for index, claim in enumerate(claims):
        inputs[index] += h
        high = f(*inputs)
        inputs[index] -= 2 * h
        low = f(*inputs)
        measured = (high - low) / (2 * h)
        size = max(abs(claim), abs(measured))
        if not (math.isfinite(size) and abs(claim - measured) <= tolerance * size):
            return False
    return True
