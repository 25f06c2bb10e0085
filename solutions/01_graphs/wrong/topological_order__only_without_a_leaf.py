# exercise: topological_order
# misconception: cycle-unnoticed
# about: raises when nothing is ready at the beginning, and never later
def topological_order(graph):
    users = {name: [] for name in graph}
    missing = {name: len(operands(graph, name)) for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].append(name)
    ready = [name for name in graph if missing[name] == 0]
    if graph and not ready:
        raise ValueError("the graph has a cycle")
    order = []
    while ready:
        name = ready.pop()
        order.append(name)
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    return order
