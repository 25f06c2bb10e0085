# exercise: topological_order
# misconception: order-part-missing
# about: keeps what the last root needs
def topological_order(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    tops = [name for name in graph if name not in used]
    if graph and not tops:
        raise ValueError("cycle")
    order, open_nodes, done = [], set(), set()
    to_do = [("enter", top) for top in tops[-1:]]
    while to_do:
        what, name = to_do.pop()
        if what == "leave":
            open_nodes.remove(name)
            done.add(name)
            order.append(name)
        elif name in open_nodes:
            raise ValueError("cycle")
        elif name not in done:
            open_nodes.add(name)
            to_do += [("leave", name), *[("enter", operand) for operand in operands(graph, name)]]
    return order
