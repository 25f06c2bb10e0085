# exercise: backward-chain
# misconception: partial-of-the-wrong-step
# about: goes on at the leaf
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node is not None:
        operand = node.operands[0] if node.operands else None
        operand.grad = node.grad * node.partials[0]
        node = operand
