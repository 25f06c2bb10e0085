# exercise: adjoints-along
# misconception: nothing-returned
# about: Prints the list.
def adjoints_along(partials):
    found = [1.0]
    for partial in reversed(partials):
        found.append(found[-1] * partial)
    print(found[::-1])
