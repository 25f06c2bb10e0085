# exercise: parts
# misconception: constant-not-a-leaf
# about: takes inputs only for leaves
def leaves(graph):
    return [name for name, entry in graph.items() if entry[0] == "input"]


def operations(graph):
    return [name for name in graph if operands(graph, name)]


def root(graph):
    used = set()
    for name in graph:
        used.update(operands(graph, name))
    for name in graph:
        if name not in used:
            return name
