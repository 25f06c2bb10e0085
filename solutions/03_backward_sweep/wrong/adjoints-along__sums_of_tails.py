# exercise: adjoints-along
# misconception: chain-slopes-added
# about: the sum of all steps that are left
def adjoints_along(partials):
    return [sum(partials[i:]) for i in range(len(partials))] + [1.0]
