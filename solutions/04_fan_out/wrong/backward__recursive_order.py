# exercise: backward
# misconception: sweep-recursion-too-deep
# points: 14
# about: right, but the order is found by a function that calls itself
def backward(root):
    order, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for operand in node.operands:
                visit(operand)
            order.append(node)

    visit(root)
    root.grad = 1.0
    for node in reversed(order):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
