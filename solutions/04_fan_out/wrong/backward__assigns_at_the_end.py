# exercise: backward
# misconception: sweep-zeroes-leaves
# points: 16
# about: adjoints in a dict, and the nodes' grad is set to them
def backward(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, finished = stack.pop()
        if finished:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((operand, False) for operand in node.operands)
    adjoints = dict.fromkeys(order, 0.0)
    adjoints[root] = 1.0
    for node in reversed(order):
        for operand, partial in zip(node.operands, node.partials):
            adjoints[operand] += adjoints[node] * partial
    for node, adjoint in adjoints.items():
        node.grad = adjoint
