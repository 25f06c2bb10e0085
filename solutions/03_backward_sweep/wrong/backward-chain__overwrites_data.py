# exercise: backward-chain
# misconception: record-changed-by-sweep
# about: writes adjoints over the values
def backward_chain(root):
    root.grad = root.data = 1.0
    node = root
    while node.operands:
        operand = node.operands[0]
        operand.grad = node.grad * node.partials[0]
        operand.data = operand.grad
        node = operand
