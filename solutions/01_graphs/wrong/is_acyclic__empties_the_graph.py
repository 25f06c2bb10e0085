# exercise: is_acyclic
# misconception: graph-changed
# about: crosses nodes out in the caller's graph
def is_acyclic(graph):
    users = {name: [] for name in graph}
    missing = {name: len(operands(graph, name)) for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].append(name)
    ready = [name for name in missing if missing[name] == 0]
    while ready:
        name = ready.pop()
        graph.pop(name)
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    return len(graph) == 0
