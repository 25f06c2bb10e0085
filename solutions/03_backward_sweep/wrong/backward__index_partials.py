# exercise: backward
# misconception: partial-of-the-wrong-step
# about: the partial of the operand in place of the node's
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand in node.operands:
            if operand.requires_grad:
                operand.grad = node.grad * operand.partials[0]
                waiting.append(operand)
