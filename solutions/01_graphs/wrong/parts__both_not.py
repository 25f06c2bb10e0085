# exercise: parts
# misconception: or-is-always-true
# about: asks whether it is not the one or not the other
def leaves(graph):
    return [name for name in graph if graph[name][0] in ("input", "const")]


def operations(graph):
    found = []
    for name, entry in graph.items():
        if entry[0] != "input" or entry[0] != "const":
            found.append(name)
    return found


def root(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    return next(name for name in graph if name not in used)
