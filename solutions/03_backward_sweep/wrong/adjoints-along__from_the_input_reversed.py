# exercise: adjoints-along
# misconception: sweep-from-the-wrong-end
# about: The same, turned round at the end.
def adjoints_along(partials):
    adjoint = 1.0
    found = [adjoint]
    for partial in partials:
        adjoint *= partial
        found.insert(0, adjoint)
    return found
