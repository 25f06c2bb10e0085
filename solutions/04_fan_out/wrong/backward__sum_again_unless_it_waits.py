# exercise: backward
# misconception: sweep-passes-sum-again
# about: puts a node back on the list at each arrival, unless it stands there
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node = waiting.pop(0)
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            if operand not in waiting:
                waiting.append(operand)
