# exercise: backward-chain
# misconception: zero-taken-for-none
# about: Goes on only while the adjoint is not 0.
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands and node.grad:
        operand = node.operands[0]
        operand.grad = node.grad * node.partials[0]
        node = operand
