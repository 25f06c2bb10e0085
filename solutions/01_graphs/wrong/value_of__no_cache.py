# exercise: value_of
# misconception: shared-node-recomputed
# about: throws the cache away altogether
def value_of(graph, inputs, name):
    operation, *rest = graph[name]
    if operation == "input":
        return inputs[name]
    if operation == "const":
        return rest[0]
    return OPERATIONS[operation](*[value_of(graph, inputs, operand) for operand in rest])
