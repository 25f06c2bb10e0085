# exercise: backward
# misconception: sweep-expects-two-operands
# about: unpacks a left and a right operand of every operation
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
            left, right = node.operands
            left.grad += node.grad * node.partials[0]
            right.grad += node.grad * node.partials[1]
