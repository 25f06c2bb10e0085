# exercise: backward-chain
# misconception: seed-not-one
# about: Starts with the root's value.
def backward_chain(root):
    root.grad = root.data
    node = root
    while node.operands:
        operand = node.operands[0]
        operand.grad = node.grad * node.partials[0]
        node = operand
