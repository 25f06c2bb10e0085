# exercise: adjoints-along
# misconception: sweep-recurses
# about: recursion that remembers its results
from functools import cache
def adjoints_along(partials):
    @cache
    def adjoint(i):
        return 1.0 if i == len(partials) else adjoint(i + 1) * partials[i]
    return [adjoint(i) for i in range(len(partials) + 1)]
