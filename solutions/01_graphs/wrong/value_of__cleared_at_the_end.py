# exercise: value_of
# hidden-only: only an error in between leaves the cache full
# about: empties the cache when the outermost call is finished
def value_of(graph, inputs, name, cache={}, depth=0):
    if name not in cache:
        operation, *rest = graph[name]
        if operation == "input":
            cache[name] = inputs[name]
        elif operation == "const":
            cache[name] = rest[0]
        else:
            cache[name] = OPERATIONS[operation](
                *[value_of(graph, inputs, operand, cache, depth + 1) for operand in rest]
            )
    result = cache[name]
    if depth == 0:
        cache.clear()
    return result
