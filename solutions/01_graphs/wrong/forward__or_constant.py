# exercise: forward
# misconception: zero-taken-for-missing
# points: 4
# about: falls back to the constant with or
def forward(graph, inputs):
    from graphlib import TopologicalSorter

    order = TopologicalSorter({name: operands(graph, name) for name in graph}).static_order()
    values = {}
    for name in order:
        if operands(graph, name):
            values[name] = OPERATIONS[graph[name][0]](*[values[operand] for operand in operands(graph, name)])
        else:
            values[name] = inputs.get(name) or graph[name][1]
    return values
