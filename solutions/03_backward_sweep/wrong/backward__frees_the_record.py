# exercise: backward
# points: 7
# misconception: record-changed-by-sweep
# about: Empties the operands on the way.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
        node.operands = ()
