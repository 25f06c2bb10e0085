# exercise: adjoints-along
# misconception: zero-taken-for-none
# about: Gives up when an adjoint is 0.
def adjoints_along(partials):
    adjoint = 1.0
    found = [adjoint]
    for partial in reversed(partials):
        adjoint = adjoint * partial
        if not adjoint:
            break
        found.append(adjoint)
    return found[::-1]
