# exercise: backward-chain
# misconception: seed-missing
# about: Starts with 0, as if adjoints were sums only.
def backward_chain(root):
    root.grad = 0.0
    node = root
    while node.operands:
        operand = node.operands[0]
        operand.grad = node.grad * node.partials[0]
        node = operand
