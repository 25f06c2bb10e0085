# exercise: backward-chain
# about: Carries the adjoint in a variable.
def backward_chain(root):
    node, adjoint = root, 1
    while True:
        node.grad = adjoint
        if len(node.operands) == 0:
            return
        adjoint *= node.partials[0]
        (node,) = node.operands
