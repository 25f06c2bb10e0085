# exercise: adjoints-along
# misconception: upstream-forgotten
# about: Returns the local derivatives and a 1.
def adjoints_along(partials):
    return [*partials, 1.0]
