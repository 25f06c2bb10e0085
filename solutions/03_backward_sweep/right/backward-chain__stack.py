# exercise: backward-chain
# about: The general loop, for any number of operands.
def backward_chain(root):
    root.grad = 1.0
    stack = [root]
    while stack:
        node = stack.pop()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad = partial * node.grad
            stack.append(operand)
