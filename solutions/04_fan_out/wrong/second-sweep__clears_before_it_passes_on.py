# exercise: second-sweep
# misconception: sweep-seed-cleared
# about: clears each operation when its turn comes, and passes on the 0
def mended_sweep(nodes):
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        if node.operands:
            node.grad = 0.0
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
