# exercise: adjoints-along
# misconception: sweep-from-the-wrong-end
# about: the products up to each step
from itertools import accumulate
from operator import mul
def adjoints_along(partials):
    return list(accumulate(partials, mul))
