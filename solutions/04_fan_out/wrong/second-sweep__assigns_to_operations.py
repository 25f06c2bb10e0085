# exercise: second-sweep
# misconception: fan-out-overwritten
# about: adds to leaves and assigns to operations, so that an operation with two users loses one
def mended_sweep(nodes):
    nodes[-1].grad = 1.0
    for node in reversed(nodes):
        for operand, partial in zip(node.operands, node.partials):
            if operand.operands:
                operand.grad = node.grad * partial
            else:
                operand.grad += node.grad * partial
