# exercise: backward
# misconception: sweep-passes-sum-again
# about: calls itself for each operand, which passes on all that it holds
def pass_on(node):
    for operand, partial in zip(node.operands, node.partials):
        operand.grad += node.grad * partial
        pass_on(operand)


def backward(root):
    root.grad = 1.0
    pass_on(root)
