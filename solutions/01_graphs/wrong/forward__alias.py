# exercise: forward
# misconception: inputs-changed
# points: 10
# about: stores the values in the caller's inputs
def forward(graph, inputs):
    from graphlib import TopologicalSorter

    order = TopologicalSorter({name: operands(graph, name) for name in graph}).static_order()
    values = inputs
    for name in order:
        operation, *rest = graph[name]
        if operation == "input":
            values[name] = inputs[name]
        elif operation == "const":
            values[name] = rest[0]
        else:
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
    return values
