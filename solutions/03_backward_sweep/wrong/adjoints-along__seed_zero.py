# exercise: adjoints-along
# misconception: seed-missing
# about: Starts with 0, so everything is 0.
def adjoints_along(partials):
    adjoint = 0.0
    found = [adjoint]
    for partial in reversed(partials):
        adjoint = adjoint * partial
        found.append(adjoint)
    return found[::-1]
