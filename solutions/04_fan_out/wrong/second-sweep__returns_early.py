# exercise: second-sweep
# misconception: sweep-works-once
# about: does nothing when the root has an adjoint
def mended_sweep(nodes):
    if nodes[-1].grad:
        return
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
