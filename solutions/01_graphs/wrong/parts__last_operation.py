# exercise: parts
# misconception: root-is-the-last-entry
# about: takes the last operation for the root
def leaves(graph):
    return [name for name in graph if not operands(graph, name)]


def operations(graph):
    return [name for name in graph if operands(graph, name)]


def root(graph):
    return operations(graph)[-1] if operations(graph) else leaves(graph)[0]
