# exercise: backward-chain
# misconception: added-to-none
# about: Adds to a grad that is None.
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands:
        operand = node.operands[0]
        operand.grad += node.grad * node.partials[0]
        node = operand
