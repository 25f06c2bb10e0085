# exercise: forward
# misconception: cache-outlives-the-call
# points: 9
# about: remembers answers by the inputs
seen = {}


def forward(graph, inputs):
    from graphlib import TopologicalSorter

    order = TopologicalSorter({name: operands(graph, name) for name in graph}).static_order()
    key = (tuple(sorted(graph)), tuple(sorted(inputs.items())))
    if key not in seen:
        values = {}
        for name in order:
            operation, *rest = graph[name]
            if operation == "input":
                values[name] = inputs[name]
            elif operation == "const":
                values[name] = rest[0]
            else:
                values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
        seen[key] = values
    return dict(seen[key])
