# exercise: backward-chain
# misconception: root-is-a-leaf
# about: takes the first step before the loop
def backward_chain(root):
    root.grad = 1.0
    node = root.operands[0]
    node.grad = root.partials[0]
    while node.operands:
        node.operands[0].grad = node.grad * node.partials[0]
        node = node.operands[0]
