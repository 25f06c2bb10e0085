# exercise: parts
# misconception: operation-takes-two
# about: takes every short entry for a leaf
def leaves(graph):
    return [name for name, entry in graph.items() if len(entry) < 3]


def operations(graph):
    return [name for name in graph if operands(graph, name)]


def root(graph):
    used = set()
    for name in graph:
        used.update(operands(graph, name))
    for name in graph:
        if name not in used:
            return name
