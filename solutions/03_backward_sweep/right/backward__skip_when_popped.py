# exercise: backward
# about: puts constants on the list and passes over them when it takes them out
def backward(root):
    waiting = [(root, 1.0)]
    while waiting:
        node, adjoint = waiting.pop()
        if not node.requires_grad:
            continue
        node.grad = adjoint
        for i in range(len(node.operands)):
            waiting.append((node.operands[i], adjoint * node.partials[i]))
