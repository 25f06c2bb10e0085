# exercise: parts
# misconception: leaves-from-the-wrong-end
# about: takes the node that nobody uses for a leaf
def leaves(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    return [name for name in graph if name not in used]


def operations(graph):
    return [name for name in graph if operands(graph, name)]


def root(graph):
    used = set()
    for name in graph:
        used.update(operands(graph, name))
    for name in graph:
        if name not in used:
            return name
