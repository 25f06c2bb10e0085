# exercise: adjoints-along
# misconception: answer-is-an-object
# about: returns what reversed gives
def adjoints_along(partials):
    found = [1.0]
    for partial in reversed(partials):
        found.append(found[-1] * partial)
    return reversed(found)
