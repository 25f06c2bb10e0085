# exercise: parts
# about: climbs from any node to a user until there is none
def leaves(graph):
    return [name for name in graph if not operands(graph, name)]


def operations(graph):
    return [name for name in graph if operands(graph, name)]


def root(graph):
    name = next(iter(graph))
    while True:
        users = [other for other in graph if name in operands(graph, other)]
        if not users:
            return name
        name = users[0]
