# exercise: is_acyclic
# misconception: cycle-through-the-start-only
# about: walks from the root and compares with the start only
def is_acyclic(graph):
    for start in graph:
        to_do = operands(graph, start)
        while to_do:
            name = to_do.pop()
            if name == start:
                return False
            to_do += operands(graph, name)
    return True
