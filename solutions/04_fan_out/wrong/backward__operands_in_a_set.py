# exercise: backward
# misconception: fan-out-same-use-once
# about: pairs operands and partials in a dict, so that x * x has one entry
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
    root.grad = 1.0
    for node in reversed(order):
        for operand, partial in dict(zip(node.operands, node.partials)).items():
            operand.grad += node.grad * partial
