# exercise: adjoints-along
# misconception: product-restarted
# about: makes floats of the partials, and a product of its own for every value
import math


def adjoints_along(partials):
    factors = [float(partial) for partial in partials]
    return [math.prod(factors[place:]) for place in range(len(factors) + 1)]
