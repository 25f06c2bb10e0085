# exercise: adjoints-along
# misconception: cache-outlives-the-call
# about: the result list stands outside the function
_found = []


def adjoints_along(partials):
    _found.append(1.0)
    for partial in reversed(partials):
        _found.append(_found[-1] * partial)
    return _found[::-1]
