# exercise: forward
# misconception: recursion-too-deep
# points: 11
# about: right in small graphs, calls itself for every operand
def forward(graph, inputs):
    values = {}

    def value(name):
        if name not in values:
            operation, *rest = graph[name]
            if operation == "input":
                values[name] = inputs[name]
            elif operation == "const":
                values[name] = rest[0]
            else:
                values[name] = OPERATIONS[operation](*[value(operand) for operand in rest])
        return values[name]

    for name in graph:
        value(name)
    return values
