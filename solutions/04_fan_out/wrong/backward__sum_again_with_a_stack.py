# exercise: backward
# misconception: sweep-passes-sum-again
# about: the loop of unit 03 with += in place of =
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            waiting.append(operand)
