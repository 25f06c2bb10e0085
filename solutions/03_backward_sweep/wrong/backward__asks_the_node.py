# exercise: backward
# points: 8
# misconception: constant-gets-gradient
# about: asks the node above, and not the operand
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.requires_grad:
            for operand, partial in zip(node.operands, node.partials):
                operand.grad = node.grad * partial
                waiting.append(operand)
