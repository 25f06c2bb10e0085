# exercise: backward-chain
# misconception: seed-missing
# about: The root's own adjoint is used and never written.
def backward_chain(root):
    adjoint = 1.0
    node = root
    while node.operands:
        adjoint = adjoint * node.partials[0]
        node = node.operands[0]
        node.grad = adjoint
