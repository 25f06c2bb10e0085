# exercise: backward
# points: 8
# misconception: constant-gets-gradient
# about: Writes first, and asks before going down.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad = node.grad * partial
            if operand.requires_grad:
                waiting.append(operand)
