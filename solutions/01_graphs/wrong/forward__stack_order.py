# exercise: forward
# misconception: graph-operands-swapped
# about: takes the operands from a stack, last one first
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
            arguments = []
            while rest:
                arguments.append(values[rest.pop()])
            values[name] = OPERATIONS[operation](*arguments)
    return values
