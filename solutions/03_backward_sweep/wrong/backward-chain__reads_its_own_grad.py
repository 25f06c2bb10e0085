# exercise: backward-chain
# unnamed: the grad of the wrong node
# about: multiplies the operand's grad, which is None
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands:
        below = node.operands[0]
        below.grad = below.grad * node.partials[0]
        node = below
