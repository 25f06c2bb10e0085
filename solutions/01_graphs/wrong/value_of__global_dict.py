# exercise: value_of
# misconception: cache-outlives-the-call
# about: moves the dict out of the signature, where it lives just as long
CACHE_OF_VALUES = {}


def value_of(graph, inputs, name):
    cache = CACHE_OF_VALUES
    if name not in cache:
        operation, *rest = graph[name]
        if operation == "input":
            cache[name] = inputs[name]
        elif operation == "const":
            cache[name] = rest[0]
        else:
            cache[name] = OPERATIONS[operation](*[value_of(graph, inputs, operand) for operand in rest])
    return cache[name]
