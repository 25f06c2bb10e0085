# exercise: backward
# misconception: sweep-passes-on-too-early
# about: breadth first from the root, each node once, at its shortest distance
from collections import deque


def backward(root):
    root.grad = 1.0
    seen, queue = {root}, deque([root])
    while queue:
        node = queue.popleft()
        for operand, partial in zip(node.operands, node.partials):
            operand.grad += node.grad * partial
            if operand not in seen:
                seen.add(operand)
                queue.append(operand)
