# exercise: backward
# misconception: adjoints-in-between-missing
# points: 16
# about: keeps adjoints in a dict and writes those of the leaves
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
    adj = {n: 0.0 for n in order}
    adj[root] = 1.0
    for n in reversed(order):
        for o, p in zip(n.operands, n.partials):
            adj[o] += adj[n] * p
        if not n.operands:
            n.grad += adj[n]
