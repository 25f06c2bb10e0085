# exercise: adjoints-along
# unnamed: a slice that is one too short
# about: leaves the last step out
def adjoints_along(partials):
    found = [1.0]
    for partial in partials[-2::-1]:
        found.insert(0, found[0] * partial)
    return found
