# exercise: adjoints-along
# misconception: cache-outlives-the-call
# about: the result list is a default argument, made once for all calls
def adjoints_along(partials, found=[1.0]):
    for partial in reversed(partials):
        found.append(found[-1] * partial)
    return found[::-1]
