# exercise: backward
# misconception: sweep-works-once
# points: 16
# about: cuts the links of each node behind it
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
        n.operands, n.partials = (), ()
