# exercise: forward
# misconception: intermediates-not-kept
# about: lets go of a value when its users are computed
def forward(graph, inputs):
    from graphlib import TopologicalSorter

    order = TopologicalSorter({name: operands(graph, name) for name in graph}).static_order()
    values = {}
    for name in order:
        operation, *rest = graph[name]
        if operation == "input":
            values[name] = inputs[name]
        elif operation == "const":
            values[name] = rest[0]
        else:
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
    used = {operand for name in graph for operand in operands(graph, name)}
    return {name: value for name, value in values.items() if name not in used or graph[name][0] == "input"}
