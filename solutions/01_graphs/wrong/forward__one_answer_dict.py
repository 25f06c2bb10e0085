# exercise: forward
# misconception: cache-outlives-the-call
# points: 9
# about: hands out the same dict at every call
ANSWER_OF_FORWARD = {}


def forward(graph, inputs):
    from graphlib import TopologicalSorter

    order = TopologicalSorter({name: operands(graph, name) for name in graph}).static_order()
    values = ANSWER_OF_FORWARD
    values.clear()
    for name in order:
        operation, *rest = graph[name]
        if operation == "input":
            values[name] = inputs[name]
        elif operation == "const":
            values[name] = rest[0]
        else:
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
    return values
