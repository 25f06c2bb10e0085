# exercise: backward
# misconception: one-operand-only
# about: Follows the first operand only.
def backward(root):
    root.grad = 1.0
    node = root
    while node.operands and node.operands[0].requires_grad:
        node.operands[0].grad = node.grad * node.partials[0]
        node = node.operands[0]
