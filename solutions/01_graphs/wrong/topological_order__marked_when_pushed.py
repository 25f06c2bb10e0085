# exercise: topological_order
# misconception: order-placed-at-first-visit
# about: places nodes on leaving, but marks them when they go on the list
def topological_order(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    order, seen = [], set()
    for start in [name for name in graph if name not in used] + list(graph):
        if start in seen:
            continue
        seen.add(start)
        to_do = [(start, False)]
        while to_do:
            name, leaving = to_do.pop()
            if leaving:
                order.append(name)
                continue
            to_do.append((name, True))
            for operand in operands(graph, name):
                if operand not in seen:
                    seen.add(operand)
                    to_do.append((operand, False))
    return order
