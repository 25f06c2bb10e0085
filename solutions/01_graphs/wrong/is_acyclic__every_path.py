# exercise: is_acyclic
# misconception: shared-node-recomputed
# about: keeps the path, and walks every path
def is_acyclic(graph):
    def walk(name, path):
        if name in path:
            return False
        return all(walk(operand, path + [name]) for operand in operands(graph, name))

    return all(walk(name, []) for name in graph)
