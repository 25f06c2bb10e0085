# exercise: second-sweep
# misconception: fan-out-overwritten
# about: = for operations, += for leaves, in one line
def mended_sweep(nodes):
    nodes[-1].grad = 1.0
    for node in nodes[::-1]:
        for operand, partial in zip(node.operands, node.partials):
            operand.grad = node.grad * partial + (0.0 if operand.operands else operand.grad)
