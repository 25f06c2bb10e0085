# exercise: backward-chain
# misconception: sweep-from-the-wrong-end
# about: walks to the leaf and multiplies on the way back
def backward_chain(root):
    nodes = [root]
    while nodes[-1].operands:
        nodes.append(nodes[-1].operands[0])
    adjoint = 1.0
    for node in reversed(nodes):
        if node.partials:
            adjoint = adjoint * node.partials[0]
        node.grad = adjoint
