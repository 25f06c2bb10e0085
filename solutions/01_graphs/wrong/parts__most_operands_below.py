# exercise: parts
# hidden-only: the visible graphs all have their root right above the others
# about: takes the node with the most distinct direct and second operands
def leaves(graph):
    return [name for name in graph if not operands(graph, name)]


def operations(graph):
    return [name for name in graph if operands(graph, name)]


def root(graph):
    def below(name, depth):
        return {name}.union(*[below(operand, depth - 1) for operand in operands(graph, name)]) if depth else {name}

    return max(graph, key=lambda name: len(below(name, 3)))
