# exercise: topological_order
# misconception: another-kind-of-error
# about: notices the cycle, and raises another kind of error
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
                raise RuntimeError("cycle")
            elif name not in done:
                open_nodes.add(name)
                to_do.append((name, True))
                to_do += [(operand, False) for operand in operands(graph, name)]
    return order
