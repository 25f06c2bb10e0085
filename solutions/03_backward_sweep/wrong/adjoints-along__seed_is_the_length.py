# exercise: adjoints-along
# misconception: seed-not-one
# about: starts with the number of steps
def adjoints_along(partials):
    found = [float(len(partials))]
    for partial in partials[::-1]:
        found.append(partial * found[-1])
    found.reverse()
    return found
