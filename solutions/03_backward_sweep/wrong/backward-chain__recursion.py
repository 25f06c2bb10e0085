# exercise: backward-chain
# misconception: sweep-recurses
# about: Calls itself for the operand.
def backward_chain(root, adjoint=1.0):
    root.grad = adjoint
    if root.operands:
        backward_chain(root.operands[0], adjoint * root.partials[0])
