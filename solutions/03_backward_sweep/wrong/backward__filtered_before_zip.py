# exercise: backward
# points: 8
# misconception: partials-misaligned
# about: Filters the operands, and pairs them with unfiltered partials.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip([each for each in node.operands if each.requires_grad], node.partials):
            operand.grad = node.grad * partial
            waiting.append(operand)
