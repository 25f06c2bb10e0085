# exercise: backward
# about: places by id, adjoints in a list of numbers
def backward(root):
    index, nodes, stack = {}, [], [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            index[id(node)] = len(nodes)
            nodes.append(node)
        elif id(node) not in index:
            index[id(node)] = None
            stack.append((node, True))
            for o in node.operands:
                if id(o) not in index:
                    stack.append((o, False))
    adj = [0.0] * len(nodes)
    adj[-1] = 1.0
    for i in range(len(nodes) - 1, -1, -1):
        node = nodes[i]
        for k in range(len(node.operands)):
            adj[index[id(node.operands[k])]] += adj[i] * node.partials[k]
    for node, a in zip(nodes, adj):
        node.grad += a
