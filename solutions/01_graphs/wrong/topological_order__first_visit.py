# exercise: topological_order
# misconception: order-placed-at-first-visit
# about: breadth first from the root, turned round
def topological_order(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    met = [name for name in graph if name not in used]
    for name in met:
        for operand in operands(graph, name):
            if operand not in met:
                met.append(operand)
    return met[::-1]
