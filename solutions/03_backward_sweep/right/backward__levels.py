# exercise: backward
# about: Level by level, with list comprehensions.
def backward(root):
    root.grad = 1.0
    level = [root]
    while level:
        edges = [
            (node, operand, partial)
            for node in level
            for operand, partial in zip(node.operands, node.partials)
            if operand.requires_grad
        ]
        for node, operand, partial in edges:
            operand.grad = node.grad * partial
        level = [operand for _, operand, _ in edges]
