# exercise: backward-chain
# misconception: record-changed-by-sweep
# about: Empties the operands on the way.
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands:
        operand = node.operands[0]
        operand.grad = node.grad * node.partials[0]
        node.operands = ()
        node = operand
