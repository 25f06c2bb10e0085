# exercise: parts
# misconception: graph-changed
# about: takes used nodes out of the graph until one is left
def leaves(graph):
    return [name for name in graph if graph[name][0] in ("input", "const")]


def operations(graph):
    return [name for name in graph if graph[name][0] not in ("input", "const")]


def root(graph):
    names = [operand for name in list(graph) for operand in operands(graph, name)]
    for name in names:
        graph.pop(name, None)
    return list(graph)[0]
