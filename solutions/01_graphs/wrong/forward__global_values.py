# exercise: forward
# misconception: cache-outlives-the-call
# points: 4
# about: keeps the values in a dict that lives on
VALUES_SO_FAR = {}


def forward(graph, inputs):
    from graphlib import TopologicalSorter

    order = TopologicalSorter({name: operands(graph, name) for name in graph}).static_order()
    for name in order:
        if name in VALUES_SO_FAR:
            continue
        operation, *rest = graph[name]
        if operation == "input":
            VALUES_SO_FAR[name] = inputs[name]
        elif operation == "const":
            VALUES_SO_FAR[name] = rest[0]
        else:
            VALUES_SO_FAR[name] = OPERATIONS[operation](*[VALUES_SO_FAR[operand] for operand in rest])
    return {name: VALUES_SO_FAR[name] for name in graph}
