# exercise: is_acyclic
# about: peels off nodes that nobody uses any more, on a copy
def is_acyclic(graph):
    edges = {name: operands(graph, name) for name in graph}
    uses = dict.fromkeys(edges, 0)
    for below in edges.values():
        for operand in below:
            uses[operand] += 1
    free = [name for name, count in uses.items() if count == 0]
    while free:
        for operand in edges.pop(free.pop()):
            uses[operand] -= 1
            if uses[operand] == 0:
                free.append(operand)
    return not edges
