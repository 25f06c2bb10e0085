# exercise: backward
# misconception: sweep-passes-on-too-early
# about: a loop that looks like depth first, and marks a node as seen when it is put on the stack
def backward(root):
    order, seen, stack = [], {root}, [(root, False)]
    while stack:
        node, finished = stack.pop()
        if finished:
            order.append(node)
            continue
        stack.append((node, True))
        for operand in node.operands:
            if operand not in seen:
                seen.add(operand)
                stack.append((operand, False))
    root.grad = 1.0
    for node in reversed(order):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
