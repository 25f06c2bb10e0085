# exercise: adjoints-along
# about: itertools.accumulate over the reversed list.
from itertools import accumulate
from operator import mul


def adjoints_along(partials):
    return list(accumulate(reversed(partials), mul, initial=1.0))[::-1]
