# exercise: backward
# about: Keeps (node, adjoint) pairs and writes when it takes one out.
def backward(root):
    todo = [(root, 1)]
    while todo:
        node, adjoint = todo.pop()
        if not node.requires_grad:
            continue
        node.grad = adjoint
        todo.extend((operand, adjoint * partial) for operand, partial in zip(node.operands, node.partials))
