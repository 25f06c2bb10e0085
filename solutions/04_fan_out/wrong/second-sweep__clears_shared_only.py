# exercise: second-sweep
# unnamed: its numbers are those of no other idea
# about: sets every operation to 1
def mended_sweep(nodes):
    for node in nodes:
        if node.operands and node.grad != 0:
            node.grad = 1.0
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
