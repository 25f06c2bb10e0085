# exercise: topological_order
# misconception: order-part-missing
# about: orders what the first root needs
def topological_order(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    start = [name for name in graph if name not in used][0]
    order, seen, to_do = [], set(), [(start, False)]
    while to_do:
        name, leaving = to_do.pop()
        if leaving:
            order.append(name)
        elif name not in seen:
            seen.add(name)
            to_do.append((name, True))
            to_do += [(operand, False) for operand in operands(graph, name)]
    return order
