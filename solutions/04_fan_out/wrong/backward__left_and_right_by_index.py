# exercise: backward
# misconception: sweep-expects-two-operands
# about: reads operands[0] and operands[1] of every operation
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
        if node.operands:
            node.operands[0].grad += node.grad * node.partials[0]
            node.operands[1].grad += node.grad * node.partials[1]
