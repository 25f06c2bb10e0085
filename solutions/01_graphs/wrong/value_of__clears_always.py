# exercise: value_of
# misconception: shared-node-recomputed
# about: empties the shared cache at every call, the inner ones too
CACHE = {}


def value_of(graph, inputs, name):
    CACHE.clear()
    operation, *rest = graph[name]
    if operation == "input":
        CACHE[name] = inputs[name]
    elif operation == "const":
        CACHE[name] = rest[0]
    else:
        result = OPERATIONS[operation](*[value_of(graph, inputs, operand) for operand in rest])
        CACHE[name] = result
    return CACHE[name]
