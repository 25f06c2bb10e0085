# exercise: is_acyclic
# misconception: self-loop-missed
# about: ignores an edge from a node to itself
def is_acyclic(graph):
    state = {}
    for start in graph:
        stack = [(start, False)]
        while stack:
            name, leaving = stack.pop()
            if leaving:
                state[name] = 2
                continue
            if name in state:
                if state[name] == 1:
                    return False
                continue
            state[name] = 1
            stack.append((name, True))
            stack += [(operand, False) for operand in operands(graph, name) if operand != name]
    return True
