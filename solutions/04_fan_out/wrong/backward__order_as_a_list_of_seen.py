# exercise: backward
# misconception: sweep-searches-a-list
# points: 14
# about: the list of finished nodes is also what 'seen' asks
def backward(root):
    order, stack = [], [root]
    while stack:
        node = stack[-1]
        missing = [operand for operand in node.operands if operand not in order]
        if missing:
            stack.append(missing[0])
        else:
            stack.pop()
            if node not in order:
                order.append(node)
    root.grad = 1.0
    for node in reversed(order):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
