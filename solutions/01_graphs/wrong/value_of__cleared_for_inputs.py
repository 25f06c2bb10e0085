# exercise: value_of
# misconception: cache-outlives-the-call
# about: empties the cache when the inputs are others
LAST_INPUTS, LAST_VALUES = {}, {}


def value_of(graph, inputs, name):
    if inputs != LAST_INPUTS:
        LAST_VALUES.clear()
        LAST_INPUTS.clear()
        LAST_INPUTS.update(inputs)
    if name not in LAST_VALUES:
        operation, *rest = graph[name]
        if operation == "input":
            LAST_VALUES[name] = inputs[name]
        elif operation == "const":
            LAST_VALUES[name] = rest[0]
        else:
            LAST_VALUES[name] = OPERATIONS[operation](*[value_of(graph, inputs, operand) for operand in rest])
    return LAST_VALUES[name]
