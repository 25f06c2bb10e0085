# exercise: adjoints-along
# unnamed: an index that is one off
# about: takes the partial before the one that belongs to the step
def adjoints_along(partials):
    n = len(partials)
    found = [1.0] * (n + 1)
    for i in range(n - 1, -1, -1):
        found[i] = found[i + 1] * partials[i - 1]
    return found
