# exercise: backward-chain
# misconception: leaf-not-reached
# about: leaves the last node of its list out
def backward_chain(root):
    nodes = [root]
    while nodes[-1].operands:
        nodes.append(nodes[-1].operands[0])
    adjoint = 1.0
    for place, node in enumerate(nodes[:-1] or nodes):
        node.grad = adjoint
        adjoint *= sum(node.partials)
