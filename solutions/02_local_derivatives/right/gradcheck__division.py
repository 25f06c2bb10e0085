# exercise: gradcheck
# about: divides, and counts the good partials
import math


def relative_error(claim, measured):
    size = max(abs(claim), abs(measured))
    if math.isnan(claim) or math.isinf(claim):
        return math.inf
    return abs(claim - measured) / size if size else 0.0


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    if len(claims) != len(inputs):
        return False
    good = 0
    for i, x in enumerate(inputs):
        rest = lambda t: f(*inputs[:i], t, *inputs[i + 1 :])
        good += relative_error(claims[i], (rest(x + h) - rest(x - h)) / h / 2) <= tolerance
    return good == len(inputs)
