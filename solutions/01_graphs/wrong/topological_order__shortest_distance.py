# exercise: topological_order
# misconception: order-by-shortest-distance
# about: sorts by the shortest distance from a leaf
def topological_order(graph):
    users = {name: [] for name in graph}
    for name in graph:
        for operand in operands(graph, name):
            users[operand].append(name)
    layer = [name for name in graph if not operands(graph, name)]
    order = []
    while layer:
        order += layer
        following = []
        for name in layer:
            for user in users[name]:
                if user not in order and user not in following:
                    following.append(user)
        layer = following
    return order
