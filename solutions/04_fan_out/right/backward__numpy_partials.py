# exercise: backward
# about: a stack of iterators, NumPy for the contributions
import numpy as np


def backward(root):
    order, seen, stack = [], set(), [iter([root])]
    path = [None]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            done = path.pop()
            if done is not None:
                order.append(done)
        elif node not in seen:
            seen.add(node)
            stack.append(iter(node.operands))
            path.append(node)
    root.grad = np.float64(1)
    for node in order[::-1]:
        for o, c in zip(node.operands, np.array(node.partials) * node.grad):
            o.grad += c
