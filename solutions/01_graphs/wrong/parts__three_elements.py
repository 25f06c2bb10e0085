# exercise: parts
# misconception: operation-takes-two
# about: takes an entry of three elements for an operation
def leaves(graph):
    return [name for name in graph if not operands(graph, name)]


def operations(graph):
    return [name for name, entry in graph.items() if len(entry) == 3]


def root(graph):
    used = set()
    for name in graph:
        used.update(operands(graph, name))
    for name in graph:
        if name not in used:
            return name
