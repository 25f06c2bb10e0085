# exercise: backward
# misconception: sweep-operands-first
# about: puts each node that it enters before all others
def backward(root):
    order = []

    def enter(node):
        if node not in order:
            order.insert(0, node)
            for operand in node.operands:
                enter(operand)

    enter(root)
    root.grad = 1.0
    for node in order:
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
