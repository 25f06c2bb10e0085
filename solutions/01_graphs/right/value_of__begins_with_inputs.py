# exercise: value_of
# about: begins the cache with a copy of the inputs
def value_of(graph, inputs, name, cache=None):
    cache = dict(inputs) if cache is None else cache
    if name not in cache:
        operation, *rest = graph[name]
        cache[name] = (
            rest[0]
            if operation == "const"
            else OPERATIONS[operation](*[value_of(graph, inputs, operand, cache) for operand in rest])
        )
    return cache[name]
