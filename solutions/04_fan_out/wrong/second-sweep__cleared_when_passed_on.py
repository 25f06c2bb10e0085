# exercise: second-sweep
# misconception: sweep-stale-intermediates
# about: takes an operation's adjoint out as it is passed on, and begins with what another sweep has left
def mended_sweep(nodes):
    root = nodes[-1]
    root.grad += 1.0
    for node in reversed(nodes):
        if len(node.operands) > 0:
            passing_on, node.grad = node.grad, 0.0
            for k, operand in enumerate(node.operands):
                operand.grad += passing_on * node.partials[k]
