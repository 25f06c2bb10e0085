# exercise: second-sweep
# misconception: fan-out-overwritten
# about: `=` in the inner loop: nothing is left over, and nothing adds up
def mended_sweep(nodes):
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            operand.grad = node.grad * partial
