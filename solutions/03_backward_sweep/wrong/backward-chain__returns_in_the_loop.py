# exercise: backward-chain
# unnamed: one step only
# about: leaves the loop after the first step
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands:
        node.operands[0].grad = node.grad * node.partials[0]
        node = node.operands[0]
        return
