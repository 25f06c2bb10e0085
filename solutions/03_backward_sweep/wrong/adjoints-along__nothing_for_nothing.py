# exercise: adjoints-along
# misconception: empty-input-forgotten
# about: returns an empty list for an empty list
def adjoints_along(partials):
    if not partials:
        return []
    found = [1.0]
    for partial in reversed(partials):
        found.insert(0, partial * found[0])
    return found
