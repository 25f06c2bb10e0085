# exercise: backward-chain
# misconception: leaf-not-reached
# about: goes on while the next node has operands
def backward_chain(root):
    root.grad = 1.0
    node = root
    while len(node.operands[0].operands) > 0:
        node.operands[0].grad = node.partials[0] * node.grad
        node = node.operands[0]
