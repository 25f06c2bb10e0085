# exercise: adjoints-along
# about: reduce, with a list that grows at its front
from functools import reduce
def adjoints_along(partials):
    return reduce(lambda found, partial: [found[0] * partial] + found, reversed(partials), [1.0])
