# exercise: is_acyclic
# about: crosses out nodes whose operands are all crossed out, with a count
def is_acyclic(graph):
    users = {name: [] for name in graph}
    missing = {name: len(operands(graph, name)) for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].append(name)
    ready = [name for name in missing if missing[name] == 0]
    crossed_out = 0
    while ready:
        crossed_out += 1
        for user in users[ready.pop()]:
            missing[user] -= 1
            if not missing[user]:
                ready.append(user)
    return crossed_out == len(graph)
