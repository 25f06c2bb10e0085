# exercise: forward
# misconception: graph-changed
# points: 10
# about: keeps the values in the caller's graph
def forward(graph, inputs):
    from graphlib import TopologicalSorter

    order = TopologicalSorter({name: operands(graph, name) for name in graph}).static_order()
    order = list(order)
    values = {}
    for name in order:
        operation, *rest = graph[name]
        if operation == "input":
            values[name] = inputs[name]
        elif operation == "const":
            values[name] = rest[0]
        else:
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
        graph[name] = ("const", values[name])
    return values
