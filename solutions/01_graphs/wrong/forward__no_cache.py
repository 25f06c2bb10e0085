# exercise: forward
# misconception: shared-node-recomputed
# points: 6
# about: computes every node from scratch
def forward(graph, inputs):
    def value(name):
        operation, *rest = graph[name]
        if operation == "input":
            return inputs[name]
        if operation == "const":
            return rest[0]
        return OPERATIONS[operation](*[value(operand) for operand in rest])

    return {name: value(name) for name in graph}
