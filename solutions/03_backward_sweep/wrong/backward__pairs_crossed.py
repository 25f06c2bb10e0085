# exercise: backward
# misconception: partials-misaligned
# about: pairs the operands with the partials in the opposite order
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, reversed(node.partials)):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
