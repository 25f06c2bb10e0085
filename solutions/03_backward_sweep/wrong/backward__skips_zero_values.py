# exercise: backward
# points: 7
# unnamed: it asks for a value where it should ask for an adjoint
# about: Takes a value of 0 for a constant.
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad and operand.data:
                operand.grad = node.grad * partial
                waiting.append(operand)
