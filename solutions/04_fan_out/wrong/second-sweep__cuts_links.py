# exercise: second-sweep
# misconception: sweep-works-once
# about: cuts the links of each node behind it
def mended_sweep(nodes):
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
        node.operands, node.partials = (), ()
