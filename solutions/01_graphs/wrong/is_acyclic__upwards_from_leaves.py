# exercise: is_acyclic
# misconception: cycle-in-another-part-missed
# about: crosses out what the leaves reach, and forgets to look at what is left
def is_acyclic(graph):
    users = {name: [] for name in graph}
    missing = {name: len(operands(graph, name)) for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].append(name)
    ready = [name for name in missing if missing[name] == 0]
    touched = set(ready)
    while ready:
        for user in users[ready.pop()]:
            touched.add(user)
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    return all(missing[name] == 0 for name in touched)
