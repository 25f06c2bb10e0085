# exercise: backward
# misconception: sweep-searches-a-list
# points: 14
# about: right, but "seen already?" searches a list
def backward(root):
    order, stack = [], [(root, False)]
    while stack:
        node, finished = stack.pop()
        if node in order:
            continue
        if finished:
            order.append(node)
        else:
            stack.append((node, True))
            for operand in node.operands:
                stack.append((operand, False))
    root.grad = 1.0
    for node in reversed(order):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
