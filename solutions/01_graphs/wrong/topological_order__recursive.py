# exercise: topological_order
# misconception: recursion-too-deep
# about: right in small graphs, calls itself for every operand
def topological_order(graph):
    order, open_nodes, done = [], set(), set()

    def walk(name):
        if name in done:
            return
        if name in open_nodes:
            raise ValueError("cycle")
        open_nodes.add(name)
        for operand in operands(graph, name):
            walk(operand)
        done.add(name)
        order.append(name)

    for name in list(graph):
        walk(name)
    return order
