# exercise: is_acyclic
# misconception: cycle-unnoticed
# about: is content with one leaf and one root
def is_acyclic(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    has_root = any(name not in used for name in graph)
    has_leaf = any(not operands(graph, name) for name in graph)
    return has_root and has_leaf
