# exercise: adjoints-along
# misconception: sweep-recurses
# about: the tail's adjoints by calling itself on the tail
def adjoints_along(partials):
    if len(partials) == 0:
        return [1.0]
    head, *tail = partials
    rest = adjoints_along(tail)
    rest.insert(0, head * rest[0])
    return rest
