# exercise: backward
# misconception: one-operand-only
# about: puts a new list in the place of the one that waits
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting = []
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
