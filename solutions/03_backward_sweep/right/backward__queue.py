# exercise: backward
# about: A queue instead of a stack: breadth first.
from collections import deque


def backward(root):
    root.grad = 1.0
    waiting = deque([root])
    while waiting:
        node = waiting.popleft()
        for place, operand in enumerate(node.operands):
            if not operand.requires_grad:
                continue
            operand.grad = node.partials[place] * node.grad
            waiting.append(operand)
