# exercise: topological_order
# misconception: same-operand-counted-once
# about: tells each user once, though it waits for two
def topological_order(graph):
    users = {name: [] for name in graph}
    missing = {name: len(operands(graph, name)) for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].append(name)
    ready = [name for name in graph if missing[name] == 0]
    order = []
    while ready:
        name = ready.pop()
        order.append(name)
        for user in set(users[name]):
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    if len(order) < len(graph):
        raise ValueError("the graph has a cycle")
    return order
