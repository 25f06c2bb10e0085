# exercise: topological_order
# about: numbers nodes by the longest way to a root, and sorts
def topological_order(graph):
    uses = dict.fromkeys(graph, 0)
    for name in graph:
        for operand in operands(graph, name):
            uses[operand] += 1
    height, free = dict.fromkeys(graph, 0), [name for name in graph if not uses[name]]
    for name in free:
        for operand in operands(graph, name):
            height[operand] = max(height[operand], height[name] + 1)
            uses[operand] -= 1
            if not uses[operand]:
                free.append(operand)
    if len(free) != len(graph):
        raise ValueError("a cycle")
    return sorted(graph, key=height.get, reverse=True)
