# exercise: backward
# misconception: upstream-forgotten
# about: Writes the bare partial.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = partial
                waiting.append(operand)
