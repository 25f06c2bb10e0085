# exercise: topological_order
# misconception: order-users-first
# about: a right walk, turned round once too often
def topological_order(graph):
    waiting = {name: set(operands(graph, name)) for name in graph}
    users = {name: [] for name in graph}
    for name in graph:
        for operand in set(operands(graph, name)):
            users[operand].append(name)
    ready = [name for name in graph if not waiting[name]]
    order = []
    while ready:
        name = ready.pop()
        order.append(name)
        for user in users[name]:
            waiting[user].discard(name)
            if not waiting[user]:
                ready.append(user)
    if len(order) < len(graph):
        raise ValueError("the graph has a cycle")
    order.reverse()
    return order
