# exercise: is_acyclic
# misconception: recursion-too-deep
# about: right in small graphs, calls itself for every operand
def is_acyclic(graph):
    open_nodes, done = set(), set()

    def walk(name):
        if name in done:
            return True
        if name in open_nodes:
            return False
        open_nodes.add(name)
        fine = all([walk(operand) for operand in operands(graph, name)])
        open_nodes.discard(name)
        done.add(name)
        return fine

    return all([walk(name) for name in list(graph)])
