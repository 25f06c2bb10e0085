# exercise: parts
# misconception: operation-symbols-for-names
# about: returns the symbols
def leaves(graph):
    return [name for name in graph if not operands(graph, name)]


def operations(graph):
    return [entry[0] for entry in graph.values() if entry[0] not in ("input", "const")]


def root(graph):
    used = set()
    for name in graph:
        used.update(operands(graph, name))
    for name in graph:
        if name not in used:
            return name
