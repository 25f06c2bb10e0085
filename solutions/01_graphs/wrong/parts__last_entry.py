# exercise: parts
# misconception: root-is-the-last-entry
# about: takes the last entry for the root
def leaves(graph):
    return [name for name in graph if not operands(graph, name)]


def operations(graph):
    return [name for name in graph if operands(graph, name)]


def root(graph):
    return list(graph)[-1]
