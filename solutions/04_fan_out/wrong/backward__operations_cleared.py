# exercise: backward
# misconception: adjoints-in-between-missing
# points: 16
# about: clears the operations when it has passed them
def backward(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((o, False) for o in node.operands)
    root.grad = 1.0
    for n in reversed(order):
        for o, p in zip(n.operands, n.partials):
            o.grad += n.grad * p
        if n.operands:
            n.grad = 0.0
