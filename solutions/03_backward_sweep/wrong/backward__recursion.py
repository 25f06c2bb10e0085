# exercise: backward
# points: 9
# misconception: sweep-recurses
# about: Calls itself for every operand.
def backward(root, adjoint=1.0):
    root.grad = adjoint
    for operand, partial in zip(root.operands, root.partials):
        if operand.requires_grad:
            backward(operand, adjoint * partial)
