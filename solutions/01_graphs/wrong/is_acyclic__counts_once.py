# exercise: is_acyclic
# misconception: same-operand-counted-once
# about: counts two uses by one node, and crosses out one of them
def is_acyclic(graph):
    missing = {name: len(operands(graph, name)) for name in graph}
    users = {name: set() for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].add(name)
    ready = [name for name in missing if missing[name] == 0]
    count = 0
    while ready:
        name = ready.pop()
        count += 1
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    return count == len(graph)
