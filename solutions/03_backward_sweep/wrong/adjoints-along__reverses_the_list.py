# exercise: adjoints-along
# misconception: given-list-changed
# about: Reverses the list it was given.
def adjoints_along(partials):
    partials.reverse()
    adjoint, found = 1.0, [1.0]
    for partial in partials:
        adjoint *= partial
        found.append(adjoint)
    found.reverse()
    return found
