# exercise: gradcheck
# about: math.isclose does the comparing
import math


def gradcheck(f, partials, inputs, h=1e-5, tolerance=1e-6):
    def measured(index):
        up, down = list(inputs), list(inputs)
        up[index] += h
        down[index] -= h
        return (f(*up) - f(*down)) / (2 * h)

    pairs = ((claim, measured(index)) for index, claim in enumerate(partials(*inputs)))
    return all(math.isclose(claim, slope, rel_tol=tolerance) for claim, slope in pairs)
