# exercise: parts
# misconception: constant-not-a-leaf
# about: takes everything but inputs for an operation
def leaves(graph):
    return [name for name in graph if not operands(graph, name)]


def operations(graph):
    return [name for name, entry in graph.items() if entry[0] != "input"]


def root(graph):
    used = set()
    for name in graph:
        used.update(operands(graph, name))
    for name in graph:
        if name not in used:
            return name
