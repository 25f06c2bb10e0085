# exercise: topological_order
# misconception: order-leaves-left-out
# about: orders the operations only
def topological_order(graph):
    order, seen = [], set()

    def walk(name):
        if name in seen or not operands(graph, name):
            return
        seen.add(name)
        for operand in operands(graph, name):
            walk(operand)
        order.append(name)

    for name in graph:
        walk(name)
    return order
