# exercise: is_acyclic
# misconception: first-operand-only
# about: follows the first operand only
def is_acyclic(graph):
    for start in graph:
        path, name = set(), start
        while operands(graph, name):
            if name in path:
                return False
            path.add(name)
            name = operands(graph, name)[0]
    return True
