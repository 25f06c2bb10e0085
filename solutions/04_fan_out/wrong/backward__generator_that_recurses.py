# exercise: backward
# misconception: sweep-recursion-too-deep
# points: 14
# about: an order by `yield from`
def backward(root):
    seen = set()

    def finished(node):
        if node in seen:
            return
        seen.add(node)
        for operand in node.operands:
            yield from finished(operand)
        yield node

    root.grad = 1.0
    for node in reversed(list(finished(root))):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
