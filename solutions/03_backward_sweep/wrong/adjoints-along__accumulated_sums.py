# exercise: adjoints-along
# misconception: chain-slopes-added
# about: accumulate without mul adds
from itertools import accumulate
def adjoints_along(partials):
    return [*accumulate(reversed(partials), initial=1)][::-1]
