# exercise: second-sweep
# about: sweeps with everything at 0, then adds what the leaves held
def mended_sweep(nodes):
    kept = [n.grad for n in nodes]
    for n in nodes:
        n.grad = 0.0
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
    for n, k in zip(nodes, kept):
        n.grad += k if n.operands == () else 0
        if n.operands == ():
            pass
