# exercise: second-sweep
# misconception: sweep-operands-first
# about: sweeps from the leaves to the root
def mended_sweep(nodes):
    for node in nodes:
        if node.operands:
            node.grad = 0.0
    nodes[-1].grad = 1.0
    for node in nodes:
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
