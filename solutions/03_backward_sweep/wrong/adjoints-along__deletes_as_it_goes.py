# exercise: adjoints-along
# misconception: given-list-changed
# about: deletes each partial once it is used
def adjoints_along(partials):
    found = [1.0]
    while len(partials) > 0:
        found = [found[0] * partials[-1]] + found
        del partials[-1]
    return found
