# exercise: backward
# misconception: chain-slopes-added
# about: adds the partial to the adjoint from above
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad + partial
                waiting.append(operand)
