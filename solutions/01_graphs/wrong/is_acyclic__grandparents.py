# exercise: is_acyclic
# misconception: cycle-unnoticed
# about: looks two steps down and no further
def is_acyclic(graph):
    for name in graph:
        below = set(operands(graph, name))
        for operand in list(below):
            below |= set(operands(graph, operand))
        if name in below:
            return False
    return True
