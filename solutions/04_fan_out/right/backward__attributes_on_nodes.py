# exercise: backward
# about: counts in an attribute of the nodes, which is 0 again at the end
def backward(root):
    nodes = [root]
    root.waits = 0
    for node in nodes:
        for operand in node.operands:
            if getattr(operand, "waits", 0) == 0:
                operand.waits = 0
                nodes.append(operand)
            operand.waits += 1
    root.grad = 1.0
    ready = [root]
    for node in ready:
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += partial * node.grad
            operand.waits -= 1
            if operand.waits == 0:
                ready.append(operand)
