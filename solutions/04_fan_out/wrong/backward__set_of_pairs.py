# exercise: backward
# misconception: fan-out-same-use-once
# about: goes over the set of pairs, in which two equal ones are one
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
        for operand, partial in set(zip(node.operands, node.partials)):
            operand.grad += node.grad * partial
