# exercise: backward
# misconception: sweep-seen-skips-uses
# about: a right order, and each node is served once
def backward(root):
    order, visited = [], set()

    def build(node):
        if node in visited:
            return
        visited.add(node)
        for operand in node.operands:
            build(operand)
        order.insert(0, node)

    build(root)
    root.grad = 1.0
    served = {root}
    for node in order:
        for operand, partial in zip(node.operands, node.partials):
            if operand not in served:
                operand.grad += node.grad * partial
                served.add(operand)
