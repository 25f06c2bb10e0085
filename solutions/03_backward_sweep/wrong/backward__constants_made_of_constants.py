# exercise: backward
# points: 8
# misconception: constant-gets-gradient
# about: Passes over constant leaves only.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad or operand.operands:
                operand.grad = node.grad * partial
                waiting.append(operand)
