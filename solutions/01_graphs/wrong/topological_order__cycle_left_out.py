# exercise: topological_order
# misconception: cycle-unnoticed
# about: returns the part without the cycle
def topological_order(graph):
    users = {name: [] for name in graph}
    missing = {}
    for name in graph:
        missing[name] = len(operands(graph, name))
        for operand in operands(graph, name):
            users[operand].append(name)
    order = [name for name in graph if missing[name] == 0]
    for name in order:
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                order.append(user)
    return order
