# exercise: adjoints-along
# misconception: chain-slopes-added
# about: Adds along the chain.
def adjoints_along(partials):
    adjoint = 1.0
    found = [adjoint]
    for partial in reversed(partials):
        adjoint = adjoint + partial
        found.append(adjoint)
    return found[::-1]
