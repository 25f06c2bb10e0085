# exercise: adjoints-along
# unnamed: a factor of 0 left out looks like no single idea
# about: leaves factors of 0 out of the product
def adjoints_along(partials):
    found = [1.0]
    for p in reversed(partials):
        found.append(found[-1] * (p or 1.0))
    return found[::-1]
