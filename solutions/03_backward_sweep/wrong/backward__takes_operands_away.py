# exercise: backward
# points: 7
# misconception: record-changed-by-sweep
# about: takes each operand away once it is done
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        while node.operands:
            operand, partial = node.operands[0], node.partials[0]
            node.operands, node.partials = node.operands[1:], node.partials[1:]
            if operand.requires_grad:
                operand.grad = node.grad * partial
                waiting.append(operand)
