# exercise: topological_order
# misconception: order-searched-again-and-again
# about: goes through all nodes again to find the next ones
def topological_order(graph):
    order, placed = [], set()
    while len(order) < len(graph):
        before = len(order)
        for name in graph:
            if name not in placed and all(operand in placed for operand in operands(graph, name)):
                order.append(name)
                placed.add(name)
        if len(order) == before:
            raise ValueError("cycle")
    return order
