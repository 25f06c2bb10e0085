# exercise: parts
# about: set arithmetic, by the op's name
def leaves(graph):
    return {name for name, entry in graph.items() if entry[0] == "input" or entry[0] == "const"}


def operations(graph):
    return set(graph) - {name for name, entry in graph.items() if entry[0] == "input" or entry[0] == "const"}


def root(graph):
    candidates = set(graph)
    for name in graph:
        candidates -= set(operands(graph, name))
    return candidates.pop()
