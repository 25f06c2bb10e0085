# exercise: second-sweep
# misconception: sweep-stale-intermediates
# about: clears the last node before, and all operations after the sweep
def mended_sweep(nodes):
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
    for node in filter(lambda node: node.operands, nodes):
        node.grad = 0.0
