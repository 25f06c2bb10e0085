# exercise: second-sweep
# about: puts the sums of the leaves aside, clears everything, and adds them at the end
def mended_sweep(nodes):
    before = [(node, node.grad) for node in nodes if not node.operands]
    for node in nodes:
        node.grad = 0.0
    nodes[-1].grad = 1.0
    for node in nodes[::-1]:
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
    for node, grad in before:
        node.grad += grad
