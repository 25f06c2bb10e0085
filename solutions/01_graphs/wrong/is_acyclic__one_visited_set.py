# exercise: is_acyclic
# unnamed: yes
# about: one set of visited nodes for all starts
def is_acyclic(graph):
    visited = set()
    for start in graph:
        to_do = [start]
        while to_do:
            name = to_do.pop()
            if name in visited:
                return False
            visited.add(name)
            to_do += operands(graph, name)
    return True
