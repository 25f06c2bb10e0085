# exercise: forward
# misconception: constant-taken-for-operand
# about: looks the number of a constant up as a name
def forward(graph, inputs):
    from graphlib import TopologicalSorter

    order = TopologicalSorter({name: operands(graph, name) for name in graph}).static_order()
    values = {}
    for name in order:
        operation, *rest = graph[name]
        if not rest:
            values[name] = inputs[name]
        elif operation in OPERATIONS:
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
        else:
            values[name] = values[rest[0]]
    return values
