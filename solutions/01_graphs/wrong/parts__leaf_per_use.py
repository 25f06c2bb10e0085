# exercise: parts
# misconception: leaf-listed-twice
# about: collects leaves by going through the operands
def leaves(graph):
    found = []
    for name in graph:
        for operand in operands(graph, name):
            if graph[operand][0] in ("input", "const"):
                found.append(operand)
    return found


def operations(graph):
    return [name for name in graph if operands(graph, name)]


def root(graph):
    used = set()
    for name in graph:
        used.update(operands(graph, name))
    for name in graph:
        if name not in used:
            return name
