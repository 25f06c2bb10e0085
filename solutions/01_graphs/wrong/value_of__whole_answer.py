# exercise: value_of
# unnamed: yes
# about: returns the cache instead of the value
def value_of(graph, inputs, name, cache=None):
    if cache is None:
        cache = {}
    if name not in cache:
        operation, *rest = graph[name]
        if operation == "input":
            cache[name] = inputs[name]
        elif operation == "const":
            cache[name] = rest[0]
        else:
            cache[name] = OPERATIONS[operation](*[value_of(graph, inputs, operand, cache) for operand in rest])
    return cache
