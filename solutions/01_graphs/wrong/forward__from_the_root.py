# exercise: forward
# misconception: intermediates-not-kept
# points: 4
# about: computes what the root needs, and nothing else
def forward(graph, inputs):
    values = {}
    used = {operand for name in graph for operand in operands(graph, name)}
    to_do = [name for name in graph if name not in used][:1]
    while to_do:
        name = to_do[-1]
        lacking = [operand for operand in operands(graph, name) if operand not in values]
        if name in values or lacking:
            to_do.pop() if name in values else to_do.extend(lacking)
            continue
        operation, *rest = graph[name]
        if operation == "input":
            values[name] = inputs[name]
        elif operation == "const":
            values[name] = rest[0]
        else:
            values[name] = OPERATIONS[operation](*[values[operand] for operand in rest])
    return values
