# exercise: is_acyclic
# misconception: cycle-in-another-part-missed
# about: starts at the entry that is listed last
def is_acyclic(graph):
    start = list(graph)[-1] if graph else None
    path, done = set(), set()

    def walk(name):
        if name in path:
            return False
        if name in done or name is None:
            return True
        path.add(name)
        fine = all(walk(operand) for operand in operands(graph, name))
        path.discard(name)
        done.add(name)
        return fine

    return walk(start)
