# exercise: forward
# misconception: names-built-in
# about: reads inputs called x and y
def forward(graph, inputs):
    from graphlib import TopologicalSorter

    order = TopologicalSorter({name: operands(graph, name) for name in graph}).static_order()
    values = {"x": inputs["x"], "y": inputs["y"]} if len(graph) > 1 else dict(inputs)
    for name in order:
        operation, *rest = graph[name]
        if operation == "const":
            values[name] = rest[0]
        elif operation != "input":
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
    return values
