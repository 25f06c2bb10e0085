# exercise: topological_order
# misconception: shared-taken-for-cycle
# about: raises when it meets a node that has its place
def topological_order(graph):
    order = []
    used = {operand for name in graph for operand in operands(graph, name)}
    if graph and len(used) == len(graph):
        raise ValueError("no root, so there is a cycle")

    def visit(name):
        for operand in operands(graph, name):
            visit(operand)
        if name in order:
            raise ValueError(f"{name} comes a second time")
        order.append(name)

    for name in graph:
        if name not in used:
            visit(name)
    return order
