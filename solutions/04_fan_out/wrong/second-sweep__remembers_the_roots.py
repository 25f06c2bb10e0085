# exercise: second-sweep
# misconception: sweep-works-once
# about: a default set of roots that were swept
def mended_sweep(nodes, swept=set()):
    if nodes[-1] in swept:
        return
    swept.add(nodes[-1])
    for node in nodes:
        if node.operands:
            node.grad = 0.0
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
