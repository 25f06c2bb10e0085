# exercise: backward
# misconception: sweep-seen-skips-uses
# about: the same with a queue
def backward(root):
    root.grad = 1.0
    queue, met = [root], [root]
    while queue:
        node = queue.pop(0)
        for operand, partial in zip(node.operands, node.partials):
            if any(operand is other for other in met):
                continue
            met.append(operand)
            queue.append(operand)
            operand.grad += partial * node.grad
