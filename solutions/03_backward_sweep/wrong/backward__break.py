# exercise: backward
# points: 8
# misconception: constant-stops-sweep
# about: Leaves the loop at a constant.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if not operand.requires_grad:
                break
            operand.grad = node.grad * partial
            waiting.append(operand)
