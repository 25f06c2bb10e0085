# exercise: backward
# unnamed: only the deep graph that is no chain shows it
# points: 14
# about: recursive, and where that is too deep, one step after the other along the first operand
def backward(root):
    order, seen = [], set()

    def walk(node):
        if node not in seen:
            seen.add(node)
            for operand in node.operands:
                walk(operand)
            order.append(node)

    try:
        walk(root)
    except RecursionError:
        root.grad = 1.0
        while root.operands:
            below = root.operands[0]
            below.grad, root = sum(root.partials) * root.grad, below
        return
    for node in order:
        if node.operands:
            node.grad = 0.0
    root.grad = 1.0 if root.operands else root.grad + 1.0
    for node in reversed(order):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
