# exercise: adjoints-along
# misconception: given-list-changed
# about: Pops from the list it was given.
def adjoints_along(partials):
    found = [1.0]
    while partials:
        found.append(found[-1] * partials.pop())
    return found[::-1]
