# exercise: forward
# misconception: zero-taken-for-missing
# points: 6
# about: asks whether the value is true, not whether it is there
def forward(graph, inputs):
    values = {}

    def value(name):
        if not values.get(name):
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
