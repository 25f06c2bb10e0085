# exercise: adjoints-along
# misconception: given-list-changed
# about: appends the seed to the list that it was given
from itertools import accumulate
from operator import mul
def adjoints_along(partials):
    partials.append(1.0)
    return list(accumulate(partials[::-1], mul))[::-1]
