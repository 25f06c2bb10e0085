# exercise: backward
# points: 8
# misconception: constant-branch-entered
# about: Collects every node first, constants too.
def backward(root):
    order = [root]
    for node in order:
        order.extend(node.operands)
    root.grad = 1.0
    for node in order:
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad:
                operand.grad = node.grad * partial
