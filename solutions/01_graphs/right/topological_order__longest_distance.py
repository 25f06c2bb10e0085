# exercise: topological_order
# about: sorts by the longest distance from a leaf
def topological_order(graph):
    users, missing = {name: [] for name in graph}, {}
    for name in graph:
        below = set(operands(graph, name))
        missing[name] = len(below)
        for operand in below:
            users[operand].append(name)
    layer, depth, current = [name for name in missing if not missing[name]], {}, 0
    while layer:
        following = []
        for name in layer:
            depth[name] = current
            for user in users[name]:
                missing[user] -= 1
                if not missing[user]:
                    following.append(user)
        layer, current = following, current + 1
    if len(depth) != len(graph):
        raise ValueError("there is a cycle")
    return sorted(graph, key=depth.get)
