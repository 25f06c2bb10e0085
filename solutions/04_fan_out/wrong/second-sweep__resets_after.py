# exercise: second-sweep
# misconception: sweep-stale-intermediates
# about: clears each operation once it has passed its adjoint on, and begins with what another sweep has left
def mended_sweep(nodes):
    nodes[-1].grad = 1.0
    for node in nodes[::-1]:
        g = node.grad
        if len(node.operands) > 0:
            node.grad = 0
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += g * partial
