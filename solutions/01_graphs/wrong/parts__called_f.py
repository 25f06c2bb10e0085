# exercise: parts
# misconception: names-built-in
# about: takes the root to be called f
def leaves(graph):
    return [name for name in graph if not operands(graph, name)]


def operations(graph):
    return [name for name in graph if operands(graph, name)]


def root(graph):
    return "f" if len(graph) > 1 else list(graph)[0]
