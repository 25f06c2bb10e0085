# exercise: backward
# misconception: one-operand-only
# about: the loop of the chain
def backward(root):
    root.grad = 1.0
    node = root
    while node.operands:
        operand = node.operands[0]
        if not operand.requires_grad:
            return
        operand.grad = node.grad * node.partials[0]
        node = operand
