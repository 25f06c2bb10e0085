# exercise: value_of
# misconception: graph-changed
# about: writes each value into the graph as a constant
def value_of(graph, inputs, name):
    operation, *rest = graph[name]
    if operation == "input":
        return inputs[name]
    if operation != "const":
        graph[name] = ("const", OPERATIONS[operation](*[value_of(graph, inputs, operand) for operand in rest]))
    return graph[name][1]
