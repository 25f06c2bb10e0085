# exercise: topological_order
# misconception: cache-outlives-the-call
# about: keeps its lists in default arguments
def topological_order(graph, order=[], seen=set()):
    for start in graph:
        to_do = [(start, False)]
        while to_do:
            name, leaving = to_do.pop()
            if leaving:
                order.append(name)
            elif name not in seen:
                seen.add(name)
                to_do.append((name, True))
                to_do += [(operand, False) for operand in operands(graph, name)]
    return order
