# exercise: backward
# points: 9
# unnamed: a loop with a fixed end
# about: takes at most a thousand nodes out
def backward(root):
    root.grad = 1.0
    waiting = [root]
    for _ in range(1000):
        if not waiting:
            break
        node = waiting.pop(0)
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
