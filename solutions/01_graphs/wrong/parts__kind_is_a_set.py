# exercise: parts
# misconception: operation-symbols-for-names
# about: returns the set of symbols
def leaves(graph):
    return [name for name in graph if graph[name][0] in ("input", "const")]


def operations(graph):
    return {graph[name][0] for name in graph} - {"input", "const"}


def root(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    return next(name for name in graph if name not in used)
