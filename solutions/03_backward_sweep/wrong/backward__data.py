# exercise: backward
# misconception: value-for-adjoint
# about: Multiplies by the node's value.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.data * partial
                waiting.append(operand)
