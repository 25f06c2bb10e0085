# exercise: adjoints-along
# about: Prepends to a deque; a while loop over a copy.
from collections import deque


def adjoints_along(partials):
    rest = list(partials)
    found = deque([1])
    while rest:
        found.appendleft(rest.pop() * found[0])
    return list(found)
