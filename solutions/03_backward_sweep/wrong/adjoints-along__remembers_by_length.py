# exercise: adjoints-along
# unnamed: remembered by a key that says too little
# about: remembers adjoints by the length of the chain
_known = {}
def adjoints_along(partials):
    if len(partials) not in _known:
        found = [1.0]
        for partial in reversed(partials):
            found.append(found[-1] * partial)
        _known[len(partials)] = found[::-1]
    return _known[len(partials)]
