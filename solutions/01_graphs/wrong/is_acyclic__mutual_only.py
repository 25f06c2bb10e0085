# exercise: is_acyclic
# misconception: cycle-unnoticed
# about: looks for two nodes that use each other
def is_acyclic(graph):
    for name in graph:
        for operand in operands(graph, name):
            if name in operands(graph, operand):
                return False
    return True
