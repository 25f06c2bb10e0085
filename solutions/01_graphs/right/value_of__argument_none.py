# exercise: value_of
# about: an optional argument that begins as None
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
            arguments = [value_of(graph, inputs, operand, cache) for operand in rest]
            cache[name] = OPERATIONS[operation](*arguments)
    return cache[name]
