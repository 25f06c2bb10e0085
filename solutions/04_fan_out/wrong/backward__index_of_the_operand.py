# exercise: backward
# misconception: fan-out-first-place-for-both
# points: 4
# about: looks up the local derivative by operands.index
def backward(root):
    order, seen = [], set()

    def build(node):
        if node not in seen:
            seen.add(node)
            for operand in node.operands:
                build(operand)
            order.append(node)

    build(root)
    root.grad = 1.0
    for node in reversed(order):
        for operand in node.operands:
            operand.grad += node.grad * node.partials[node.operands.index(operand)]
