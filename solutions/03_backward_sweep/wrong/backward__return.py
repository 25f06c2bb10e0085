# exercise: backward
# points: 8
# misconception: constant-stops-sweep
# about: Ends the whole sweep at a constant.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if not operand.requires_grad:
                return
            operand.grad = node.grad * partial
            waiting.append(operand)
