# exercise: is_acyclic
# misconception: shared-taken-for-cycle
# about: enters nodes and never leaves them
def is_acyclic(graph):
    def enter(name, open_nodes):
        if name in open_nodes:
            return False
        open_nodes.add(name)
        return all(enter(operand, open_nodes) for operand in operands(graph, name))

    return all(enter(name, set()) for name in graph)
