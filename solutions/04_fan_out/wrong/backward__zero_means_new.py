# exercise: backward
# misconception: sweep-passes-on-too-early
# about: takes an adjoint of 0 for the sign of a first visit
def backward(root):
    root.grad = 1.0
    ready = [root]
    order = []
    while ready:
        node = ready.pop(0)
        order.append(node)
        for operand, partial in zip(node.operands, node.partials):
            if operand.grad == 0.0:
                ready.append(operand)
            operand.grad += node.grad * partial
