# exercise: backward
# points: 8
# misconception: constant-gets-gradient
# about: Gives constants the adjoint 0.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
            else:
                operand.grad = 0.0
