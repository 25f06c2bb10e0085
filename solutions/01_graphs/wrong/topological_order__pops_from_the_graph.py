# exercise: topological_order
# misconception: graph-changed
# about: empties the graph while it orders it
def topological_order(graph):
    order = []
    while graph:
        ready = [name for name in graph if all(operand not in graph for operand in operands(graph, name))]
        if not ready:
            raise ValueError("cycle")
        for name in ready:
            order.append(name)
            graph.pop(name)
    return order
