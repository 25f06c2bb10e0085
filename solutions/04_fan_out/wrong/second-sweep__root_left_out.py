# exercise: second-sweep
# misconception: sweep-stale-intermediates
# about: clears every operation but the root, and adds 1 to what the root still holds
def mended_sweep(nodes):
    for node in nodes[:-1]:
        if node.operands:
            node.grad = 0.0
    nodes[-1].grad += 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
