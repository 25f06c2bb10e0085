# exercise: backward
# misconception: fan-out-overwritten
# about: each call sets the adjoint of its node
def backward(root, adjoint=1.0):
    root.grad = adjoint
    for operand, partial in zip(root.operands, root.partials):
        backward(operand, adjoint * partial)
