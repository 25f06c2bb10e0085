# exercise: second-sweep
# misconception: sweep-seed-cleared
# about: sets the root's 1, then clears all operations
def mended_sweep(nodes):
    nodes[-1].grad = 1.0
    for node in nodes:
        if node.operands:
            node.grad = 0.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
