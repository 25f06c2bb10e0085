# exercise: backward
# misconception: one-operand-only
# about: writes to both operands and follows the last one
def backward(root):
    root.grad = 1.0
    node = root
    while node.operands:
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
        node = node.operands[-1]
