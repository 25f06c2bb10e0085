# exercise: backward
# misconception: sweep-passes-sum-again
# about: the same, first in, first out
def backward(root):
    root.grad = 1.0
    waiting = [root]
    while waiting:
        node, *waiting = waiting
        for place, operand in enumerate(node.operands):
            operand.grad += node.grad * node.partials[place]
        waiting += node.operands
