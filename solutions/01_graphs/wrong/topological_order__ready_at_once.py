# exercise: topological_order
# misconception: order-after-one-operand
# about: takes a user for ready when its first operand is
def topological_order(graph):
    users = {name: [] for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].append(name)
    placed = [name for name in graph if not operands(graph, name)]
    for name in placed:
        for user in reversed(users[name]):
            if user not in placed:
                placed.insert(placed.index(name) + 1, user)
    if len(placed) < len(graph):
        raise ValueError("cycle")
    return placed
