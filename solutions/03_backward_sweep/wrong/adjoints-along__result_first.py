# exercise: adjoints-along
# misconception: adjoints-in-sweep-order
# about: Forgets to turn the list round.
def adjoints_along(partials):
    found = [1.0]
    for partial in reversed(partials):
        found.append(found[-1] * partial)
    return found
