# exercise: second-sweep
# misconception: sweep-stale-intermediates
# about: clears when it is done, and begins with what another sweep has left
def mended_sweep(nodes):
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
    for node in nodes:
        if node.operands:
            node.grad = 0.0
