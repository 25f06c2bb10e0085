# exercise: second-sweep
# misconception: sweep-stale-intermediates
# about: clears the last but one node
def mended_sweep(nodes):
    nodes[-2].grad = 0.0
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
