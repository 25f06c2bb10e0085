# exercise: backward
# misconception: sweep-once-per-path
# points: 14
# about: sends each contribution on by itself, in a queue
from collections import deque


def backward(root):
    letters = deque([(root, 1.0)])
    while letters:
        node, contribution = letters.popleft()
        node.grad += contribution
        letters.extend((o, contribution * p) for o, p in zip(node.operands, node.partials))
