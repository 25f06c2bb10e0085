# exercise: value_of
# misconception: inputs-changed
# about: uses the caller's inputs as the cache
def value_of(graph, inputs, name):
    if name not in inputs:
        operation, *rest = graph[name]
        if operation == "const":
            inputs[name] = rest[0]
        else:
            inputs[name] = OPERATIONS[operation](*[value_of(graph, inputs, operand) for operand in rest])
    return inputs[name]
