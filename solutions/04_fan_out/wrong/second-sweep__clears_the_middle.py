# exercise: second-sweep
# misconception: sweep-leaves-by-place
# about: clears what stands between the first two and the last
def mended_sweep(nodes):
    for node in nodes[2:-1]:
        node.grad = 0.0
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
