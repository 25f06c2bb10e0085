# exercise: adjoints-along
# misconception: product-divided-out
# about: The whole product divided by the first factors.
import math


def adjoints_along(partials):
    adjoint = math.prod(partials)
    found = [adjoint]
    for partial in partials:
        adjoint = adjoint / partial
        found.append(adjoint)
    return found
