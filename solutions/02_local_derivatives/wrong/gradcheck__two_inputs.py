# exercise: gradcheck
# misconception: gradcheck-skips-an-input
# about: measures the first and the last input only
import math


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    if len(claims) != len(inputs):
        return False
    first, last = inputs[0], inputs[-1]
    in_first = (f(first + h, *inputs[1:]) - f(first - h, *inputs[1:])) / (2 * h)
    in_last = (f(*inputs[:-1], last + h) - f(*inputs[:-1], last - h)) / (2 * h)
    pairs = [(claims[0], in_first), (claims[-1], in_last)]
    return all(math.isclose(claim, measured, rel_tol=tolerance) for claim, measured in pairs)
