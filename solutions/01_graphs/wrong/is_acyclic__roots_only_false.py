# exercise: is_acyclic
# misconception: cycle-in-another-part-missed
# about: walks from all roots, and calls a graph without one cyclic
def is_acyclic(graph):
    used = set()
    for name in graph:
        used.update(operands(graph, name))
    to_do = [("in", name) for name in graph if name not in used]
    if graph and not to_do:
        return False
    state = {}
    while to_do:
        what, name = to_do.pop()
        if what == "out":
            state[name] = "done"
        elif state.get(name) == "open":
            return False
        elif name not in state:
            state[name] = "open"
            to_do.append(("out", name))
            to_do.extend(("in", operand) for operand in operands(graph, name))
    return True
