# exercise: parts
# misconception: leaves-from-the-wrong-end
# about: takes a node without operands for the root
def leaves(graph):
    return [name for name in graph if not operands(graph, name)]


def operations(graph):
    return [name for name in graph if operands(graph, name)]


def root(graph):
    for name in graph:
        if not operands(graph, name):
            return name
