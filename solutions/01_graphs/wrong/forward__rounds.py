# exercise: forward
# misconception: order-searched-again-and-again
# points: 11
# about: goes round until all values are there
def forward(graph, inputs):
    values = {}
    changed = True
    while changed:
        changed = False
        for name in graph:
            if name in values or any(operand not in values for operand in operands(graph, name)):
                continue
            operation, *rest = graph[name]
            if operation == "input":
                values[name] = inputs[name]
            elif operation == "const":
                values[name] = rest[0]
            else:
                values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
            changed = True
    return values
