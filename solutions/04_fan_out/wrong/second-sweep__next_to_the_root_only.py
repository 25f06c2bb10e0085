# exercise: second-sweep
# misconception: sweep-stale-intermediates
# about: clears the operands of the root, which is enough for (x + y) * y
def mended_sweep(nodes):
    root = nodes[-1]
    for operand in root.operands:
        if operand.operands:
            operand.grad = 0.0
    root.grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
