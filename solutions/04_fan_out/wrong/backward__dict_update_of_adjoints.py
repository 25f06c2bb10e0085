# exercise: backward
# misconception: fan-out-overwritten
# about: right order, adjoints in a dict that is updated
def backward(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        node, finished = stack.pop()
        if finished:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((operand, False) for operand in node.operands)
    adjoints = {root: 1.0}
    for node in reversed(order):
        adjoints.update({o: adjoints[node] * p for o, p in zip(node.operands, node.partials)})
    for node in order:
        node.grad += adjoints[node]
