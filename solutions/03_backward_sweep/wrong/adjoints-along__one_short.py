# exercise: adjoints-along
# misconception: leaf-not-reached
# about: counts down to 1
def adjoints_along(partials):
    found = [1.0]
    for i in range(len(partials) - 1, 0, -1):
        found.append(found[-1] * partials[i])
    return found[::-1]
