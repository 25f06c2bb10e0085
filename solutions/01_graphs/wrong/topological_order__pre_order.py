# exercise: topological_order
# misconception: order-placed-at-first-visit
# about: depth first, placed on entering, turned round
def topological_order(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    to_do = [name for name in graph if name not in used]
    order, seen = [], set()
    while to_do:
        name = to_do.pop()
        if name not in seen:
            seen.add(name)
            order.append(name)
            to_do += reversed(operands(graph, name))
    return order[::-1]
