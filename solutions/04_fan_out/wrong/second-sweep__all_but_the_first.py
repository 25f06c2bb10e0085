# exercise: second-sweep
# misconception: sweep-leaves-by-place
# about: clears all nodes but the first
def mended_sweep(nodes):
    leaf, *others = nodes
    for node in others:
        node.grad = 0.0
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
