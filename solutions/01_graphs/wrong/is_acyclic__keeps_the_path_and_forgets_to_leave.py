# exercise: is_acyclic
# misconception: shared-taken-for-cycle
# about: never takes a node off its path
def is_acyclic(graph):
    for start in graph:
        path, to_do = [], [start]
        while to_do:
            name = to_do.pop()
            if name in path:
                return False
            path.append(name)
            for operand in operands(graph, name):
                to_do.append(operand)
    return True
