# exercise: adjoints-along
# misconception: seed-missing
# about: Leaves the result's own adjoint out.
def adjoints_along(partials):
    found = []
    adjoint = 1.0
    for partial in reversed(partials):
        adjoint = adjoint * partial
        found.append(adjoint)
    return found[::-1]
