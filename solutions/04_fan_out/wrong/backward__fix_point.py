# exercise: backward
# misconception: sweep-searches-a-list
# points: 14
# about: sweeps over all nodes until nothing changes
def backward(root):
    nodes, seen = [root], {root}
    for n in nodes:
        for o in n.operands:
            if o not in seen:
                seen.add(o)
                nodes.append(o)
    adj = {n: 0.0 for n in nodes}
    while True:
        new = {n: 0.0 for n in nodes}
        new[root] = 1.0
        for n in nodes:
            for o, p in zip(n.operands, n.partials):
                new[o] += adj[n] * p
        if new == adj:
            break
        adj = new
    for n in nodes:
        n.grad += adj[n]
