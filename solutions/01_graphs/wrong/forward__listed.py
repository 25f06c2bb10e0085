# exercise: forward
# misconception: dict-order-assumed
# about: trusts that operands are listed first
def forward(graph, inputs):
    values = {}
    for name, entry in graph.items():
        if entry[0] == "input":
            values[name] = inputs[name]
        elif entry[0] == "const":
            values[name] = entry[1]
        else:
            arguments = []
            for operand in operands(graph, name):
                arguments.append(values[operand])
            values[name] = OPERATIONS[entry[0]](*arguments)
    return values
