# exercise: is_acyclic
# about: walks with a list, and puts each node on it twice
def is_acyclic(graph: dict[str, tuple]) -> bool:
    open_nodes, done = set(), set()
    for start in graph:
        to_do = [("enter", start)]
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
