# exercise: second-sweep
# unnamed: no idea of its own stands behind it
# about: divides by the number of calls
_calls = 0


def mended_sweep(nodes):
    global _calls
    _calls += 1
    for node in nodes:
        if node.operands:
            node.grad = 0.0
    nodes[-1].grad = 1.0 / _calls
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
