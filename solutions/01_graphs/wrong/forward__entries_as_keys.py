# exercise: forward
# misconception: node-compared-by-content
# about: keeps results by entry, and all inputs have the same
def forward(graph, inputs):
    from graphlib import TopologicalSorter

    order = TopologicalSorter({name: operands(graph, name) for name in graph}).static_order()
    results, values = {}, {}
    for name in order:
        entry = tuple(graph[name])
        if entry not in results:
            operation, *rest = entry
            if operation == "input":
                results[entry] = inputs[name]
            elif operation == "const":
                results[entry] = rest[0]
            else:
                results[entry] = OPERATIONS[operation](*[values[operand] for operand in rest])
        values[name] = results[entry]
    return values
