# exercise: is_acyclic
# misconception: same-operand-counted-once
# about: waits for two operands, and is told of one
def is_acyclic(graph):
    waits = {}
    tells = {}
    for name in graph:
        waits[name] = len(operands(graph, name))
        for operand in operands(graph, name):
            tells.setdefault(operand, {})[name] = True
    free = [name for name in graph if waits[name] == 0]
    for name in free:
        for user in tells.get(name, {}):
            waits[user] -= 1
            if waits[user] == 0:
                free.append(user)
    return len(free) == len(graph)
