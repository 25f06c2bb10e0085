# exercise: backward
# misconception: sweep-works-once
# points: 16
# about: the visited nodes are a default argument
def backward(root, order=[], seen=set()):
    stack = [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((o, False) for o in node.operands)
    root.grad = 1.0
    while order:
        n = order.pop()
        for o, p in zip(n.operands, n.partials):
            o.grad += n.grad * p
