# exercise: is_acyclic
# misconception: true-and-false-exchanged
# about: answers whether there is a cycle
def is_acyclic(graph):
    waiting = {name: set(operands(graph, name)) for name in graph}
    users = {name: [] for name in graph}
    for name in graph:
        for operand in set(operands(graph, name)):
            users[operand].append(name)
    ready = [name for name in graph if not waiting[name]]
    placed = 0
    while ready:
        name = ready.pop()
        placed += 1
        for user in users[name]:
            waiting[user].discard(name)
            if not waiting[user]:
                ready.append(user)
    return placed < len(graph)
