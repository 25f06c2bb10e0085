# exercise: parts
# misconception: or-is-always-true
# about: writes == "input" or "const"
def leaves(graph):
    result = set()
    for name in graph:
        kind = graph[name][0]
        if kind == "input" or "const":
            result.add(name)
    return list(result)


def operations(graph):
    return [name for name in graph if graph[name][0] not in ("input", "const")]


def root(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    return next(name for name in graph if name not in used)
