# exercise: backward
# points: 8
# misconception: constant-stops-sweep
# about: Goes down only where all operands need a gradient.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if all(each.requires_grad for each in node.operands):
                operand.grad = node.grad * partial
                waiting.append(operand)
