# exercise: is_acyclic
# misconception: shared-taken-for-cycle
# about: takes every second visit for a cycle
def is_acyclic(graph):
    for start in graph:
        visited, to_do = set(), [start]
        while to_do:
            name = to_do.pop()
            if name in visited:
                return False
            visited.add(name)
            to_do += operands(graph, name)
    return True
