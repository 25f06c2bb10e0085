# exercise: backward
# misconception: seed-missing
# about: the seed waits in the list and is not written
def backward(root):
    waiting = [(root, 1.0)]
    while waiting:
        node, adjoint = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = adjoint * partial
                waiting += [(operand, operand.grad)]
