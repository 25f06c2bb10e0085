# exercise: backward
# misconception: fan-out-same-use-again
# about: looks up both partials for each of two equal operands
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
        for o in n.operands:
            for q, p in zip(n.operands, n.partials):
                if q is o:
                    o.grad += n.grad * p
