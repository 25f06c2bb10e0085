# exercise: forward
# misconception: operation-takes-two
# about: unpacks two operands for every operation
def forward(graph, inputs):
    from graphlib import TopologicalSorter

    order = TopologicalSorter({name: operands(graph, name) for name in graph}).static_order()
    values = {}
    for name in order:
        if graph[name][0] == "input":
            values[name] = inputs[name]
        elif graph[name][0] == "const":
            values[name] = graph[name][1]
        else:
            operation, left, right = graph[name]
            values[name] = OPERATIONS[operation](values[left], values[right])
    return values
