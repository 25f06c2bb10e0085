# exercise: backward
# misconception: sweep-works-once
# points: 16
# about: node.done says that it has been listed
def backward(root):
    order, stack = [], [(root, iter(root.operands))]
    root.done = True
    while stack:
        node, rest = stack[-1]
        for operand in rest:
            if not hasattr(operand, "done"):
                operand.done = True
                stack.append((operand, iter(operand.operands)))
                break
        else:
            order.append(node)
            stack.pop()
    root.grad = 1.0
    for node in reversed(order):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
