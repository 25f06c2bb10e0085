# exercise: backward
# points: 7
# misconception: zero-taken-for-none
# about: Goes down only where the adjoint is not 0.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                if operand.grad:
                    waiting.append(operand)
