# exercise: backward
# points: 8
# misconception: constant-gets-gradient
# about: takes every operation for something that needs a gradient
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.operands or operand.requires_grad:
                operand.grad = partial * node.grad
                waiting.append(operand)
