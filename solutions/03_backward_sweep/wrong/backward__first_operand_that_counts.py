# exercise: backward
# misconception: one-operand-only
# about: Goes down into the last operand it sees.
def backward(root):
    root.grad = 1.0
    node = root
    while node is not None:
        below = None
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                below = operand
        node = below
