# exercise: backward
# misconception: sweep-works-once
# points: 16
# about: leaves a mark on every node
def backward(root):
    order, stack = [], [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif not hasattr(node, "visited"):
            node.visited = True
            stack.append((node, True))
            stack.extend((o, False) for o in node.operands)
    root.grad = 1.0
    for n in reversed(order):
        for o, p in zip(n.operands, n.partials):
            o.grad += n.grad * p
