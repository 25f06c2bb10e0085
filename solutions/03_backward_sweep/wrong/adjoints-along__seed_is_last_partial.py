# exercise: adjoints-along
# misconception: seed-not-one
# about: Starts with the last local derivative.
def adjoints_along(partials):
    adjoint = partials[-1] if partials else 1.0
    found = [adjoint]
    for partial in reversed(partials):
        adjoint = adjoint * partial
        found.append(adjoint)
    return found[::-1]
