# exercise: backward
# about: Collects the nodes first, users before operands, then sweeps, adding up.
def backward(root):
    order = [root]
    for node in order:
        order.extend(operand for operand in node.operands if operand.requires_grad)
    for node in order:
        node.grad = 0.0
    root.grad = 1.0
    for node in order:
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad += node.grad * partial
