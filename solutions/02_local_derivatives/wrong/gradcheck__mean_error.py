# exercise: gradcheck
# misconception: gradcheck-skips-an-input
# about: the mean of the errors
import math


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims, errors = partials(*inputs), []
    if len(claims) != len(inputs):
        return False
    for index, claim in enumerate(claims):
        up = [x + h if place == index else x for place, x in enumerate(inputs)]
        down = [x - h if place == index else x for place, x in enumerate(inputs)]
        measured = (f(*up) - f(*down)) / (2 * h)
        size = max(abs(claim), abs(measured))
        errors.append(abs(claim - measured) / size if size else 0.0)
    return sum(errors) / len(errors) <= tolerance
