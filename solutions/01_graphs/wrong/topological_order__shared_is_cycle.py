# exercise: topological_order
# misconception: shared-taken-for-cycle
# about: raises the error for a shared node
def topological_order(graph):
    order = []

    def walk(name):
        if name in order:
            raise ValueError("cycle")
        for operand in operands(graph, name):
            walk(operand)
        order.append(name)

    used = {operand for name in graph for operand in operands(graph, name)}
    for name in graph:
        if name not in used:
            walk(name)
    return order
