# exercise: backward-chain
# misconception: seed-missing
# about: Never sets the root's adjoint.
def backward_chain(root):
    node = root
    while node.operands:
        operand = node.operands[0]
        operand.grad = node.grad * node.partials[0]
        node = operand
