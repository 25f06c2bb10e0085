# exercise: backward
# misconception: sweep-operands-first
# about: the same mistake without recursion
def backward(root):
    order, done, stack = [], set(), [(root, iter(root.operands))]
    while stack:
        node, rest = stack[-1]
        operand = next(rest, None)
        if operand is None:
            stack.pop()
            if node not in done:
                done.add(node)
                order.append(node)
        elif operand not in done:
            stack.append((operand, iter(operand.operands)))
    root.grad = 1.0
    for node in order:
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
