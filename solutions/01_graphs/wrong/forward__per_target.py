# exercise: forward
# misconception: shared-node-recomputed
# points: 6
# about: starts a new cache for every node, so that all are computed again
def forward(graph, inputs):
    def value(name, cache):
        if name not in cache:
            operation, *rest = graph[name]
            if operation == "input":
                cache[name] = inputs[name]
            elif operation == "const":
                cache[name] = rest[0]
            else:
                cache[name] = OPERATIONS[operation](*[value(operand, cache) for operand in rest])
        return cache[name]

    return {name: value(name, {}) for name in graph}
