# exercise: value_of
# misconception: cache-outlives-the-call
# about: the code as it was
def value_of(graph, inputs, name, cache={}):
    if name not in cache:
        operation, *rest = graph[name]
        if operation == "input":
            cache[name] = inputs[name]
        elif operation == "const":
            cache[name] = rest[0]
        else:
            cache[name] = OPERATIONS[operation](*[value_of(graph, inputs, operand) for operand in rest])
    return cache[name]
