# exercise: gradcheck
# misconception: absolute-tolerance
# about: the largest difference against the tolerance
import math


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    claims = partials(*inputs)
    if len(claims) != len(inputs) or not all(math.isfinite(claim) for claim in claims):
        return False
    worst = 0.0
    for index, claim in enumerate(claims):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        worst = max(worst, abs(claim - (f(*up) - f(*down)) / (2 * h)))
    return worst <= tolerance
