# exercise: forward
# misconception: order-searched-again-and-again
# points: 11
# about: goes through the graph until nothing is missing
def forward(graph, inputs):
    values = {}
    while len(values) < len(graph):
        for name in graph:
            below = operands(graph, name)
            if name in values or not all(operand in values for operand in below):
                continue
            operation, *rest = graph[name]
            if operation == "input":
                values[name] = inputs[name]
            elif operation == "const":
                values[name] = rest[0]
            else:
                values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
    return values
