# exercise: is_acyclic
# misconception: self-loop-missed
# about: drops an operand that is the node itself
def is_acyclic(graph):
    missing = {name: {operand for operand in operands(graph, name) if operand != name} for name in graph}
    users = {name: [] for name in graph}
    for name in missing:
        for operand in missing[name]:
            users[operand].append(name)
    ready = [name for name in missing if not missing[name]]
    count = 0
    while ready:
        name = ready.pop()
        count += 1
        for user in users[name]:
            missing[user].discard(name)
            if not missing[user]:
                ready.append(user)
    return count == len(graph)
