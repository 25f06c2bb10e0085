# exercise: parts
# misconception: append-returns-nothing
# about: assigns what append gives
def leaves(graph):
    found = []
    for name in graph:
        if not operands(graph, name):
            found = found.append(name)
    return found


def operations(graph):
    return [name for name in graph if graph[name][0] not in ("input", "const")]


def root(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    return next(name for name in graph if name not in used)
