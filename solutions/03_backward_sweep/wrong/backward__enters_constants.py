# exercise: backward
# points: 8
# misconception: constant-branch-entered
# about: Walks everywhere and writes only where needed.
def backward(root):
    root.grad = 1.0
    waiting = [(root, 1.0)]
    while waiting:
        node, adjoint = waiting.pop()
        if node.requires_grad:
            node.grad = adjoint
        for operand, partial in zip(node.operands, node.partials):
            waiting.append((operand, adjoint * partial))
