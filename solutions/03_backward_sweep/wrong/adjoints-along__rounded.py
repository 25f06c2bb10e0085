# exercise: adjoints-along
# misconception: adjoints-only-close
# about: rounds to two places on the way
def adjoints_along(partials):
    found = [1.0]
    for partial in reversed(partials):
        found.append(round(found[-1] * partial, 2))
    return found[::-1]
