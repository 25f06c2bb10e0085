# exercise: topological_order
# misconception: graph-changed
# about: takes placed nodes out of the caller's graph
def topological_order(graph):
    users = {name: [] for name in graph}
    missing = {name: len(operands(graph, name)) for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].append(name)
    ready = [name for name in missing if missing[name] == 0]
    order = []
    while ready:
        name = ready.pop()
        order.append(name)
        del graph[name]
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    if graph:
        raise ValueError("cycle")
    return order
