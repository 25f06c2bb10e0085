# exercise: backward-chain
# misconception: added-to-none
# about: adds to the operand's grad
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands:
        below = node.operands[0]
        below.grad = below.grad + node.grad * node.partials[0]
        node = below
