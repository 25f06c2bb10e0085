# exercise: backward
# points: 8
# misconception: partials-misaligned
# about: counts the operands that are left, and takes the partials by that count
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        kept = [operand for operand in node.operands if operand.requires_grad]
        for place, operand in enumerate(kept):
            operand.grad = node.grad * node.partials[place]
            waiting.append(operand)
