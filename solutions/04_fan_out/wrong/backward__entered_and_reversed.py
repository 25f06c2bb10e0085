# exercise: backward
# misconception: sweep-operands-first
# about: lists nodes when it enters them, and reverses that
def backward(root):
    order, stack, seen = [], [root], set()
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            order.append(node)
            stack.extend(node.operands)
    order.reverse()
    root.grad = 1.0
    for node in order:
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
