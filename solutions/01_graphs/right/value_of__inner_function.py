# exercise: value_of
# about: an inner function and a dict that belongs to the call
def value_of(graph, inputs, name):
    cache = {}

    def value(name):
        if name not in cache:
            operation, *rest = graph[name]
            if operation == "input":
                cache[name] = inputs[name]
            elif operation == "const":
                cache[name] = rest[0]
            else:
                cache[name] = OPERATIONS[operation](*[value(operand) for operand in rest])
        return cache[name]

    return value(name)
