# exercise: backward
# misconception: sweep-equal-values-merged
# about: remembers which numbers it has seen instead of which nodes
def backward(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, finished = stack.pop()
        if finished:
            order.append(node)
        elif node.data not in seen:
            seen.add(node.data)
            stack.append((node, True))
            stack.extend((operand, False) for operand in node.operands)
    root.grad = 1.0
    for node in reversed(order):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
