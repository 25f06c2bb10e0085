# exercise: backward
# points: 8
# misconception: constant-gets-gradient
# about: clears the grad of constants with 0 at the end
def backward(root):
    root.grad = 1.0
    waiting, constants = [root], []
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
            else:
                constants.append(operand)
    for node in constants:
        node.grad = 0
