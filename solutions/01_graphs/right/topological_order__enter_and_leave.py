# exercise: topological_order
# about: a walk that gives a node its place when it leaves it
def topological_order(graph):
    order, open_nodes, done = [], set(), set()
    for start in graph:
        to_do = [(start, False)]
        while to_do:
            name, leaving = to_do.pop()
            if leaving:
                open_nodes.remove(name)
                done.add(name)
                order.append(name)
            elif name in open_nodes:
                raise ValueError(f"{name} is computed from itself")
            elif name not in done:
                open_nodes.add(name)
                to_do.append((name, True))
                to_do.extend((operand, False) for operand in operands(graph, name))
    return order
