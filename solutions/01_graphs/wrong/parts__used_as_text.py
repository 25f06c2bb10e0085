# exercise: parts
# unnamed: yes
# about: collects the used names in a text, so a name within another one counts
def leaves(graph):
    return [name for name in graph if graph[name][0] in ("input", "const")]


def operations(graph):
    return [name for name in graph if graph[name][0] not in ("input", "const")]


def root(graph):
    used = ""
    for name in graph:
        for operand in operands(graph, name):
            used += operand
    return [name for name in graph if name not in used][0]
