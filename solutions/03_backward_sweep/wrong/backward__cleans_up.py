# exercise: backward
# misconception: adjoints-in-between-missing
# about: takes the adjoints of operations away again
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
        if node is not root and node.operands:
            node.grad = None
