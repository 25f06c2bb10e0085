# exercise: adjoints-along
# misconception: empty-input-forgotten
# about: begins with the last step, and a chain may have none
def adjoints_along(partials):
    found = [1.0, partials[-1]]
    for p in reversed(partials[:-1]):
        found.append(found[-1] * p)
    return found[::-1]
