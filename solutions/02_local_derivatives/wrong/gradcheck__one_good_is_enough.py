# exercise: gradcheck
# misconception: gradcheck-skips-an-input
# about: any for all
import math


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    def slope(i):
        return (f(*inputs[:i], inputs[i] + h, *inputs[i + 1 :]) - f(*inputs[:i], inputs[i] - h, *inputs[i + 1 :])) / (2 * h)

    claims = list(partials(*inputs))
    if len(claims) != len(inputs) or not all(map(math.isfinite, claims)):
        return False
    return any(math.isclose(c, slope(i), rel_tol=tolerance) for i, c in enumerate(claims))
