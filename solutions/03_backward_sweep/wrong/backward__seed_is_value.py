# exercise: backward
# misconception: seed-not-one
# about: Starts with the root's value.
def backward(root):
    root.grad = root.data
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
