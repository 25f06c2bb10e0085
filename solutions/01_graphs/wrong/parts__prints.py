# exercise: parts
# misconception: nothing-returned
# about: prints the leaves
def leaves(graph):
    print([name for name in graph if not operands(graph, name)])


def operations(graph):
    return [name for name in graph if operands(graph, name)]


def root(graph):
    used = set()
    for name in graph:
        used.update(operands(graph, name))
    for name in graph:
        if name not in used:
            return name
