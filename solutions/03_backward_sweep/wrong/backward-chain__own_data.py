# exercise: backward-chain
# misconception: value-for-adjoint
# about: Multiplies by the operand's value.
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands:
        operand = node.operands[0]
        operand.grad = operand.data * node.partials[0]
        node = operand
