# exercise: is_acyclic
# misconception: cycle-unnoticed
# about: walks down from every node and trusts that it ends
def is_acyclic(graph):
    def depth(name):
        return 1 + max([depth(operand) for operand in operands(graph, name)], default=0)

    return all(depth(name) > 0 for name in graph)
