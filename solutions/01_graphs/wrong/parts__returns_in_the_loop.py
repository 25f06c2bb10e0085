# exercise: parts
# unnamed: yes
# about: returns a node as soon as another one does not use it
def leaves(graph):
    return [name for name in graph if graph[name][0] in ("input", "const")]


def operations(graph):
    return [name for name in graph if graph[name][0] not in ("input", "const")]


def root(graph):
    for name in graph:
        for other in graph:
            if name not in operands(graph, other):
                return name
