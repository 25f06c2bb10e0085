# exercise: adjoints-along
# misconception: sweep-from-the-wrong-end
# about: Products of what lies before a value.
def adjoints_along(partials):
    adjoint = 1.0
    found = [adjoint]
    for partial in partials:
        adjoint = adjoint * partial
        found.append(adjoint)
    return found
