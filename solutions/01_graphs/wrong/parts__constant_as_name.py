# exercise: parts
# misconception: constant-taken-for-operand
# about: follows everything behind the operation, numbers too
def leaves(graph):
    found = set()
    to_do = [root(graph)]
    while to_do:
        name = to_do.pop()
        if len(graph[name]) == 1:
            found.add(name)
        to_do += graph[name][1:]
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
