# exercise: adjoints-along
# misconception: product-restarted
# about: a function that calls itself, for every value anew
def adjoints_along(partials):
    def rest(i):
        return 1.0 if i == len(partials) else partials[i] * rest(i + 1)
    return [rest(i) for i in range(len(partials) + 1)]
