# exercise: parts
# about: counts the uses of every node, without operands()
def leaves(graph):
    found = []
    for name in graph:
        if graph[name][0] in ["input", "const"]:
            found.append(name)
    return tuple(found)


def operations(graph):
    found = []
    for name in graph:
        if graph[name][0] not in ["input", "const"]:
            found.append(name)
    return found


def root(graph):
    uses = {name: 0 for name in graph}
    for operation, *rest in graph.values():
        if operation != "input" and operation != "const":
            for operand in rest:
                uses[operand] += 1
    return min(uses, key=uses.get)
