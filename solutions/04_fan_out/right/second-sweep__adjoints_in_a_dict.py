# exercise: second-sweep
# about: adjoints live in a dict for one call; only leaves get something into .grad
def mended_sweep(nodes):
    adjoint = {node: 0.0 for node in nodes}
    adjoint[nodes[-1]] = 1.0
    for node in reversed(nodes):
        if not node.operands:
            node.grad += adjoint[node]
        for operand, partial in zip(node.operands, node.partials):
            adjoint[operand] += adjoint[node] * partial
