# exercise: backward
# misconception: sweep-zeroes-leaves
# points: 16
# about: sets every gradient to zero before the sweep, the leaves' too
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
    for node in order:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(order):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
