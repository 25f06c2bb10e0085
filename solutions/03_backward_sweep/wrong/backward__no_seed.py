# exercise: backward
# misconception: seed-missing
# about: Never sets the root's adjoint.
def backward(root):
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
