# exercise: second-sweep
# misconception: sweep-operands-first
# about: clears rightly, and goes from the first node to the last
def mended_sweep(nodes):
    for node in nodes:
        node.grad = 0.0 if node.operands else node.grad
    nodes[-1].grad = 1.0
    for node in nodes:
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
