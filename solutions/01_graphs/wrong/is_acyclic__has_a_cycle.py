# exercise: is_acyclic
# misconception: true-and-false-exchanged
# about: returns what another name would ask for
def is_acyclic(graph):
    missing = {name: len(operands(graph, name)) for name in graph}
    users = {name: [] for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].append(name)
    ready = [name for name in missing if missing[name] == 0]
    for name in ready:
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    return len(ready) != len(graph)
