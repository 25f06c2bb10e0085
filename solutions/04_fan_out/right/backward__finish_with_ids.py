# exercise: backward
# about: finishing order with a set of ids
def backward(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((o, False) for o in node.operands)
    root.grad = 1
    for node in reversed(order):
        for o, p in zip(node.operands, node.partials):
            o.grad = o.grad + node.grad * p
