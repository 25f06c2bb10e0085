# exercise: adjoints-along
# about: A list of the right length, filled from its end.
def adjoints_along(partials):
    n = len(partials)
    adjoints = [1.0] * (n + 1)
    for i in range(n - 1, -1, -1):
        adjoints[i] = adjoints[i + 1] * partials[i]
    return adjoints
