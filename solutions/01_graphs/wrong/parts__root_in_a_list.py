# exercise: parts
# unnamed: yes
# about: returns a list with the root in it
def leaves(graph):
    return [name for name in graph if graph[name][0] in ("input", "const")]


def operations(graph):
    return [name for name in graph if graph[name][0] not in ("input", "const")]


def root(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    return [name for name in graph if name not in used]
