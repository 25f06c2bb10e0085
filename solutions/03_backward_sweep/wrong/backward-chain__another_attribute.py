# exercise: backward-chain
# misconception: adjoints-not-written
# about: writes to an attribute of another name
def backward_chain(root):
    root.adjoint = 1.0
    while root.operands:
        root.operands[0].adjoint = root.adjoint * root.partials[0]
        root = root.operands[0]
