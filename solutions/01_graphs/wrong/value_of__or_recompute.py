# exercise: value_of
# misconception: zero-taken-for-missing
# about: asks the cache with get and or
def value_of(graph, inputs, name):
    cache = {}

    def value(node):
        known = cache.get(node) or compute(node)
        cache[node] = known
        return known

    def compute(node):
        operation, *rest = graph[node]
        if operation == "input":
            return inputs[node]
        if operation == "const":
            return rest[0]
        return OPERATIONS[operation](*[value(operand) for operand in rest])

    return value(name)
