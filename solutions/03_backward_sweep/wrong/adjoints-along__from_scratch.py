# exercise: adjoints-along
# misconception: product-restarted
# about: A product of its own for every value.
def adjoints_along(partials):
    found = []
    for start in range(len(partials) + 1):
        adjoint = 1.0
        for partial in partials[start:]:
            adjoint = adjoint * partial
        found.append(adjoint)
    return found
