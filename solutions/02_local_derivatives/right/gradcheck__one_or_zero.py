# exercise: gradcheck
# about: 1 for yes and 0 for no
import math


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = tuple(partials(*inputs))
    if len(claims) - len(inputs):
        return 0
    for place in range(len(inputs)):
        plus = f(*[v + (k == place) * h for k, v in enumerate(inputs)])
        minus = f(*[v - (k == place) * h for k, v in enumerate(inputs)])
        if not math.isclose(claims[place], (plus - minus) / (2 * h), rel_tol=tolerance):
            return 0
    return 1
