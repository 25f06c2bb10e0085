# exercise: backward
# about: an order first; then += from 0
def backward(root):
    order, seen = [], set()
    todo = [root]
    while todo:
        node = todo.pop()
        if node in seen or not node.requires_grad:
            continue
        seen.add(node)
        order.append(node)
        node.grad = 0.0
        todo.extend(node.operands)
    root.grad = 1.0
    for node in order:
        for operand, partial in zip(node.operands, node.partials):
            if operand in seen:
                operand.grad += node.grad * partial
