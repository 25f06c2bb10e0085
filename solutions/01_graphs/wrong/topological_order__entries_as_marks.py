# exercise: topological_order
# misconception: node-compared-by-content
# about: remembers entries instead of names, so all inputs are one
def topological_order(graph):
    order, seen = [], []

    def walk(name):
        if graph[name] in seen:
            return
        seen.append(graph[name])
        for operand in operands(graph, name):
            walk(operand)
        order.append(name)

    for name in list(graph):
        walk(name)
    return order
