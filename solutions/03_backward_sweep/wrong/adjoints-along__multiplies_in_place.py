# exercise: adjoints-along
# misconception: given-list-changed
# about: multiplies the partials in the list that it was given
def adjoints_along(partials):
    for i in range(len(partials) - 2, -1, -1):
        partials[i] *= partials[i + 1]
    return partials + [1.0]
