# exercise: second-sweep
# misconception: sweep-zeroes-leaves
# about: clears the leaves, which seem to be what is too large
def mended_sweep(nodes):
    for node in nodes:
        if not node.operands:
            node.grad = 0.0
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
