# exercise: backward-chain
# misconception: leaf-not-reached
# about: Stops above the leaf.
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands and node.operands[0].operands:
        operand = node.operands[0]
        operand.grad = node.grad * node.partials[0]
        node = operand
