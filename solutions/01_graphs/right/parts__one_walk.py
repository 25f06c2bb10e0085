# exercise: parts
# about: finds all three parts in one walk over the graph
def _look(graph):
    ends, inner, used = [], [], []
    for name in graph:
        (inner if operands(graph, name) else ends).append(name)
        used.extend(operands(graph, name))
    return tuple(ends), inner, frozenset(graph) - set(used)


def leaves(graph):
    return _look(graph)[0]


def operations(graph):
    return set(_look(graph)[1])


def root(graph):
    return min(_look(graph)[2])
