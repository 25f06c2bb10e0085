# exercise: topological_order
# misconception: node-compared-by-content
# about: turns the dict round to find names by their entries
def topological_order(graph):
    by_entry = {tuple(entry): name for name, entry in graph.items()}
    order = []
    while len(order) < len(by_entry):
        before = len(order)
        for name in by_entry.values():
            if name not in order and all(operand in order or operand not in by_entry.values() for operand in operands(graph, name)):
                order.append(name)
        if len(order) == before:
            raise ValueError("cycle")
    return order
