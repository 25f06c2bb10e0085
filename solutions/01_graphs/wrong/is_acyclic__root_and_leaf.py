# exercise: is_acyclic
# misconception: cycle-unnoticed
# about: takes a leaf for a proof
def is_acyclic(graph):
    return any(not operands(graph, name) for name in graph) or not graph
