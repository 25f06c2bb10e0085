# exercise: backward
# misconception: partials-misaligned
# about: multiplies every operand by the first partial
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand in node.operands:
            if operand.requires_grad:
                operand.grad = node.grad * node.partials[0]
                waiting.append(operand)
