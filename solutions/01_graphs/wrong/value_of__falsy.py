# exercise: value_of
# misconception: zero-taken-for-missing
# about: a right cache, asked for truth instead of presence
def value_of(graph, inputs, name, cache=None):
    if cache is None:
        cache = {}
    if not cache.get(name):
        operation, *rest = graph[name]
        if operation == "input":
            cache[name] = inputs[name]
        elif operation == "const":
            cache[name] = rest[0]
        else:
            cache[name] = OPERATIONS[operation](*[value_of(graph, inputs, operand, cache) for operand in rest])
    return cache[name]
