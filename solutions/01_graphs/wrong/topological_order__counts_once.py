# exercise: topological_order
# misconception: same-operand-counted-once
# about: counts two uses by one node, and takes away one of them
def topological_order(graph):
    missing = {name: len(operands(graph, name)) for name in graph}
    ready = [name for name in missing if missing[name] == 0]
    users = {name: set() for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].add(name)
    order = []
    while ready:
        name = ready.pop()
        order.append(name)
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    if len(order) < len(graph):
        raise ValueError("cycle")
    return order
