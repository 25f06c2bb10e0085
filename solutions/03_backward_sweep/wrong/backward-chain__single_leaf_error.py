# exercise: backward-chain
# misconception: root-is-a-leaf
# about: asks the leaf that is the root for an operand
def backward_chain(root):
    root.grad = 1.0
    node = root
    while True:
        operand = node.operands[0]
        operand.grad = node.grad * node.partials[0]
        node = operand
        if not node.operands:
            break
