# exercise: backward-chain
# misconception: partial-of-the-wrong-step
# about: Reads the partial off the operand.
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands:
        operand = node.operands[0]
        operand.grad = node.grad * operand.partials[0]
        node = operand
