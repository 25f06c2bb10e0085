# exercise: second-sweep
# misconception: sweep-stale-intermediates
# about: the leaky sweep as it is
def mended_sweep(nodes):
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
