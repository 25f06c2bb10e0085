# exercise: value_of
# misconception: shared-node-recomputed
# about: keeps the values of leaves only
def value_of(graph, inputs, name, cache=None):
    if cache is None:
        cache = {}
    if name not in cache:
        operation, *rest = graph[name]
        if operation == "input":
            cache[name] = inputs[name]
        elif operation == "const":
            cache[name] = rest[0]
        else:
            cache[name] = OPERATIONS[operation](*[value_of(graph, inputs, operand, cache) for operand in rest])
    return cache[name] if not operands(graph, name) else cache.pop(name)
