# exercise: backward-chain
# unnamed: an error of Python's own, which the message shows with its line
# about: multiplies by the tuple of partials
def backward_chain(root):
    root.grad = 1.0
    node = root
    while node.operands:
        operand = node.operands[0]
        operand.grad = node.grad * node.partials
        node = operand
