# exercise: backward
# misconception: sweep-passes-on-too-early
# about: visits a node when it is first met, root first and depth first
def backward(root):
    order, seen, stack = [], {root}, [root]
    while stack:
        node = stack.pop()
        order.append(node)
        for operand in reversed(node.operands):
            if operand not in seen:
                seen.add(operand)
                stack.append(operand)
    root.grad = 1.0
    for node in order:
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
