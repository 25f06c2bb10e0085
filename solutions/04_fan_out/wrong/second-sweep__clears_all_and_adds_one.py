# exercise: second-sweep
# misconception: sweep-zeroes-leaves
# about: clears every node and adds 1 to the last
def mended_sweep(nodes):
    for node in nodes:
        node.grad *= 0
    nodes[-1].grad += 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
