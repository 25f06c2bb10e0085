# exercise: forward
# misconception: same-operand-counted-once
# points: 4
# about: collects the operands of an operation in a dict
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
            arguments = {operand: values[operand] for operand in rest}
            values[name] = OPERATIONS[operation](*arguments.values())
    return values
