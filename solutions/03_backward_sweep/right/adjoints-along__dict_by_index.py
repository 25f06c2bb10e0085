# exercise: adjoints-along
# about: adjoints in a dict keyed by place
def adjoints_along(partials):
    n = len(partials)
    adjoint = {n: 1.0}
    for i in reversed(range(n)):
        adjoint[i] = partials[i] * adjoint[i + 1]
    return [adjoint[i] for i in range(n + 1)]
