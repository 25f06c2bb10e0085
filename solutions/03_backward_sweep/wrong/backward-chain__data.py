# exercise: backward-chain
# misconception: value-for-adjoint
# about: Multiplies by the value of the node above.
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands:
        operand = node.operands[0]
        operand.grad = node.data * node.partials[0]
        node = operand
