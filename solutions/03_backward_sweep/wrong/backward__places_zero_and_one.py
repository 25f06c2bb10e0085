# exercise: backward
# points: 3
# misconception: two-operands-expected
# about: asks for operands 0 and 1
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not node.operands:
            continue
        for place in (0, 1):
            operand = node.operands[0] if place == 0 else node.operands[1]
            if operand.requires_grad:
                operand.grad = node.grad * node.partials[place]
                waiting.append(operand)
