# exercise: is_acyclic
# misconception: cycle-in-another-part-missed
# about: needs a root to start from, and finds none
def is_acyclic(graph):
    used = {operand for name in graph for operand in operands(graph, name)}
    roots = [name for name in graph if name not in used]
    open_nodes, done, to_do = set(), set(), [("enter", roots[0])]
    while to_do:
        what, name = to_do.pop()
        if what == "leave":
            open_nodes.remove(name)
            done.add(name)
        elif name in open_nodes:
            return False
        elif name not in done:
            open_nodes.add(name)
            to_do.append(("leave", name))
            to_do += [("enter", operand) for operand in operands(graph, name)]
    return True
