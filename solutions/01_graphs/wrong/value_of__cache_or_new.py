# exercise: value_of
# misconception: shared-node-recomputed
# about: writes cache or {}, which replaces an empty cache
def value_of(graph, inputs, name, cache=None):
    cache = cache or {}
    if name not in cache:
        operation, *rest = graph[name]
        if operation == "input":
            cache[name] = inputs[name]
        elif operation == "const":
            cache[name] = rest[0]
        else:
            cache[name] = OPERATIONS[operation](*[value_of(graph, inputs, operand, cache) for operand in rest])
    return cache[name]
