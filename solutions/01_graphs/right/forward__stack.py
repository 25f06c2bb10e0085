# exercise: forward
# about: a to-do list that waits for operands, no sorting beforehand
def forward(graph, inputs):
    values = {}
    for start in graph:
        to_do = [start]
        while to_do:
            name = to_do[-1]
            lacking = [operand for operand in operands(graph, name) if operand not in values]
            if name in values:
                to_do.pop()
            elif lacking:
                to_do += lacking
            else:
                to_do.pop()
                operation, *rest = graph[name]
                if operation == "input":
                    values[name] = inputs[name]
                elif operation == "const":
                    values[name] = rest[0]
                else:
                    values[name] = OPERATIONS[operation](*(values[operand] for operand in rest))
    return values
