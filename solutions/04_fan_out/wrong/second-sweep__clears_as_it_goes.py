# exercise: second-sweep
# misconception: sweep-zeroes-leaves
# about: clears each node after its turn, the leaves too, so that nothing remains
def mended_sweep(nodes):
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
        node.grad = 0.0
