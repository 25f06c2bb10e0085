# exercise: backward
# misconception: sweep-works-once
# about: keeps its marks on the nodes, so the next sweep finds everything visited already
def backward(root):
    order, to_do = [], [(root, False)]
    while to_do:
        node, leaving = to_do.pop()
        if leaving:
            order.append(node)
        elif not hasattr(node, "visited"):
            node.visited = True
            to_do.append((node, True))
            to_do += [(operand, False) for operand in node.operands]
    root.grad = 1.0
    for node in reversed(order):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
