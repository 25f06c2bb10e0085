# exercise: adjoints-along
# misconception: leaf-not-reached
# about: keeps the adjoint before it is multiplied, so the seed stands there twice
def adjoints_along(partials):
    adjoint, found = 1.0, [1.0]
    for partial in reversed(partials):
        found.append(adjoint)
        adjoint = adjoint * partial
    return found[::-1]
