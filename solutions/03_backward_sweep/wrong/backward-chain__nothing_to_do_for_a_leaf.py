# exercise: backward-chain
# misconception: root-is-a-leaf
# about: leaves a root without operands alone
def backward_chain(root):
    if not root.operands:
        return
    root.grad = 1.0
    while root.operands:
        root.operands[0].grad = root.grad * root.partials[0]
        root = root.operands[0]
