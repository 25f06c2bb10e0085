# exercise: backward
# misconception: sweep-passes-on-too-early
# about: a queue from collections, and a set of what has been put there
from collections import deque


def backward(root):
    root.grad = 1.0
    queue, known = deque([root]), {id(root)}
    while queue:
        node = queue.popleft()
        for k in range(len(node.operands)):
            below = node.operands[k]
            below.grad = below.grad + node.partials[k] * node.grad
            if id(below) not in known:
                known.add(id(below))
                queue.append(below)
