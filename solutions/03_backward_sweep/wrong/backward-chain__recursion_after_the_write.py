# exercise: backward-chain
# misconception: sweep-recurses
# about: writes the operand's grad, then calls itself for it, with a flag
def backward_chain(root, first=True):
    if first:
        root.grad = 1.0
    if root.operands:
        root.operands[0].grad = root.partials[0] * root.grad
        backward_chain(root.operands[0], first=False)
