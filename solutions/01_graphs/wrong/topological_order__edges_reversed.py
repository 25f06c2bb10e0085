# exercise: topological_order
# misconception: order-users-first
# about: counts users where operands belong
def topological_order(graph):
    missing = {name: 0 for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            missing[operand] += 1
    ready = [name for name in missing if missing[name] == 0]
    order = []
    while ready:
        name = ready.pop()
        order.append(name)
        for operand in operands(graph, name):
            missing[operand] -= 1
            if missing[operand] == 0:
                ready.append(operand)
    if len(order) < len(graph):
        raise ValueError("cycle")
    return order
