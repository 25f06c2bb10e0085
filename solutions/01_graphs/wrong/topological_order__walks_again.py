# exercise: topological_order
# misconception: cycle-unnoticed
# about: walks every path, and leaves double names out at the end
def topological_order(graph):
    order = []

    def walk(name):
        for operand in operands(graph, name):
            walk(operand)
        if name not in order:
            order.append(name)

    for name in list(graph):
        walk(name)
    return order
