# exercise: backward
# misconception: leaf-not-reached
# about: passes over operands without operands
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad and operand.operands:
                operand.grad = node.grad * partial
                waiting.append(operand)
