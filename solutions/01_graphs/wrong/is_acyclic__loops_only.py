# exercise: is_acyclic
# misconception: cycle-unnoticed
# about: looks for nodes that are their own operands
def is_acyclic(graph):
    return not any(name in operands(graph, name) for name in graph)
