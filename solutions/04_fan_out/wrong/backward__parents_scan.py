# exercise: backward
# misconception: sweep-searches-a-list
# points: 14
# about: looks through all nodes for one that nobody uses
def backward(root):
    nodes, seen = [root], {root}
    for n in nodes:
        for o in n.operands:
            if o not in seen:
                seen.add(o)
                nodes.append(o)
    left = list(nodes)
    order = []
    while left:
        for n in left:
            if not any(n in m.operands for m in left if m is not n):
                order.append(n)
                left.remove(n)
                break
    root.grad = 1.0
    for n in order:
        for o, p in zip(n.operands, n.partials):
            o.grad += n.grad * p
