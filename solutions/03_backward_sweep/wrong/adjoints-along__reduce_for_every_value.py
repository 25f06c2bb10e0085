# exercise: adjoints-along
# misconception: product-restarted
# about: reduces each tail of the list
from functools import reduce
def adjoints_along(partials):
    return [reduce(lambda a, b: a * b, partials[i:], 1.0) for i in range(len(partials) + 1)]
