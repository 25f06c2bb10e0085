# exercise: topological_order
# misconception: another-kind-of-error
# about: raises an error of its own that is no ValueError
class CycleError(Exception):
    pass


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
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    if len(order) < len(graph):
        raise CycleError("the graph has a cycle")
    return order
