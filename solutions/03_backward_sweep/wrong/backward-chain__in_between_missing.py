# exercise: backward-chain
# misconception: adjoints-in-between-missing
# about: Writes the ends only.
def backward_chain(root):
    root.grad = 1.0
    node, adjoint = root, 1.0
    while node.operands:
        adjoint *= node.partials[0]
        node = node.operands[0]
    node.grad = adjoint
