# exercise: backward-chain
# misconception: chain-slopes-added
# about: Adds the partial.
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands:
        operand = node.operands[0]
        operand.grad = node.grad + node.partials[0]
        node = operand
