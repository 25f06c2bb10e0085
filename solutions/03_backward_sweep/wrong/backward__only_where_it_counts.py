# exercise: backward
# points: 7
# misconception: zero-taken-for-none
# about: goes on only where the product is not 0
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            adjoint = node.grad * partial
            if operand.requires_grad and adjoint != 0:
                operand.grad = adjoint
                waiting.append(operand)
