# exercise: value_of
# misconception: cache-outlives-the-call
# about: keeps the cache as an attribute of the function
def value_of(graph, inputs, name):
    cache = value_of.cache
    if name not in cache:
        operation, *rest = graph[name]
        if operation in ("input", "const"):
            cache[name] = inputs[name] if operation == "input" else rest[0]
        else:
            cache[name] = OPERATIONS[operation](*[value_of(graph, inputs, operand) for operand in rest])
    return cache[name]


value_of.cache = {}
