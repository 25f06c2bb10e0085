# exercise: backward
# misconception: local-derivative-forgotten
# about: hands the adjoint on without the partial
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad
                waiting.append(operand)
