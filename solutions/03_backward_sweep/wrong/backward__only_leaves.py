# exercise: backward
# misconception: adjoints-in-between-missing
# about: writes at leaves only
def backward(root):
    waiting = [(root, 1.0)]
    while waiting:
        node, adjoint = waiting.pop()
        if not node.operands and node.requires_grad:
            node.grad = adjoint
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                waiting.append((operand, adjoint * partial))
