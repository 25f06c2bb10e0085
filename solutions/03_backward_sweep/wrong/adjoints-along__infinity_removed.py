# exercise: adjoints-along
# hidden-only: only a hidden test has an infinite partial
# about: Replaces an infinite adjoint by a large number.
def adjoints_along(partials):
    adjoint = 1.0
    found = [adjoint]
    for partial in reversed(partials):
        adjoint = min(adjoint * partial, 1e30)
        found.append(adjoint)
    return found[::-1]
