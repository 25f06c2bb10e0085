# exercise: parts
# misconception: graph-changed
# about: crosses out used nodes in the caller's graph
def leaves(graph):
    return [name for name in graph if not operands(graph, name)]


def operations(graph):
    return [name for name in graph if operands(graph, name)]


def root(graph):
    for name in list(graph):
        for operand in list(graph[name][1:]) if name in graph and graph[name][0] != "const" else []:
            if operand in graph and graph[operand][0] == "input":
                graph.pop(operand)
    used = {operand for name in graph for operand in operands(graph, name)}
    return [name for name in graph if name not in used][0]
