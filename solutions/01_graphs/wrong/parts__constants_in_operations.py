# exercise: parts
# misconception: constant-not-a-leaf
# about: tells an operation by an entry of more than one part
def leaves(graph):
    return [name for name in graph if graph[name][0] in ("input", "const")]


def operations(graph):
    return [name for name, entry in graph.items() if len(entry) >= 2]


def root(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    return next(name for name in graph if name not in used)
