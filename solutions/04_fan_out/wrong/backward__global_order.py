# exercise: backward
# misconception: cache-outlives-the-call
# points: 16
# about: the order and the visited nodes stand outside the function
_order, _seen = [], set()


def backward(root):
    stack = [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            _order.append(node)
        elif node not in _seen:
            _seen.add(node)
            stack.append((node, True))
            stack.extend((o, False) for o in node.operands)
    root.grad = 1.0
    for n in reversed(_order):
        for o, p in zip(n.operands, n.partials):
            o.grad += n.grad * p
