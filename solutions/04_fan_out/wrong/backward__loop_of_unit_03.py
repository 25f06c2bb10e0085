# exercise: backward
# misconception: fan-out-overwritten
# about: the sweep of unit 03 as it is
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad = node.grad * partial
            waiting.append(operand)
