# exercise: backward
# misconception: sweep-operands-first
# about: a topological order, and nobody turns it round
def backward(root):
    order, visited = [], set()

    def build(node):
        if node not in visited:
            visited.add(node)
            for operand in node.operands:
                build(operand)
            order.append(node)

    build(root)
    root.grad = 1.0
    for node in order:
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
