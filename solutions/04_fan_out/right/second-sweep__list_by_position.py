# exercise: second-sweep
# about: adjoints in a list, by place
def mended_sweep(nodes):
    place = {id(n): i for i, n in enumerate(nodes)}
    adj = [0.0] * len(nodes)
    adj[-1] = 1.0
    for i in reversed(range(len(nodes))):
        for o, p in zip(nodes[i].operands, nodes[i].partials):
            adj[place[id(o)]] += adj[i] * p
    for n, a in zip(nodes, adj):
        if not n.operands:
            n.grad += a
