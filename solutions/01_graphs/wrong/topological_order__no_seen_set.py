# exercise: topological_order
# misconception: order-repeats-a-node
# about: places a node once for each of its uses
def topological_order(graph):
    order = []

    def walk(name):
        for operand in operands(graph, name):
            walk(operand)
        order.append(name)

    used = {operand for name in graph for operand in operands(graph, name)}
    for name in graph:
        if name not in used:
            walk(name)
    return order
