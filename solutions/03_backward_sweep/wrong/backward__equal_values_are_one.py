# exercise: backward
# points: 7
# unnamed: nodes told apart by their values
# about: remembers visited nodes by their values
def backward(root):
    root.grad = 1.0
    waiting, seen = [root], {root.data}
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            if operand.requires_grad and operand.data not in seen:
                seen.add(operand.data)
                operand.grad = node.grad * partial
                waiting.append(operand)
